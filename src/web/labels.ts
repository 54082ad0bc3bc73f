import type { Environment } from '../domain/environment.ts';
import type { JobStatus } from '../operations/jobs/job.ts';

export { environmentLabels } from '../operations/fields.ts';
export { statusLabels } from '../operations/jobs/search-jobs.ts';

// English texts, given to t() where they are shown.

/** In a sentence. */
export const inEnvironmentLabels: Readonly<Record<Environment, string>> = {
  production: 'in production',
  sandbox: 'in sandbox',
};

/** As in "3 pending". */
export const severalLabels: Readonly<Record<JobStatus, string>> = {
  pending: 'pending',
  active: 'active',
  inactive: 'inactive',
  expired: 'expired',
  denied: 'denied',
};

export const mainAccountLabels = {
  credentials: "Only the company's main account may issue, replace and revoke credentials.",
  jobs: "Only the company's main account may withdraw jobs and send them to review again.",
  sandbox: "Only the company's main account may reset the sandbox.",
};
