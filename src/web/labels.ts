import type { Environment } from '../domain/environment.ts';

export { environmentLabels } from '../operations/fields.ts';
export { statusLabels } from '../operations/jobs/people/search-jobs.ts';

// English texts, given to t() where they are shown.

/** In a sentence. */
export const inEnvironmentLabels: Readonly<Record<Environment, string>> = {
  production: 'in production',
  sandbox: 'in sandbox',
};

export const mainAccountLabels = {
  credentials: "Only the company's main account may issue, replace and revoke credentials.",
  jobs: "Only the company's main account may withdraw jobs and send them to review again.",
  sandbox: "Only the company's main account may reset the sandbox.",
};
