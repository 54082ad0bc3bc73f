import type { Environment } from '../../../domain/environment.ts';
import type { JobStatus } from '../../../domain/job.ts';
import { SelectField } from '../../parts/field.tsx';

export interface JobFilter {
  readonly environment: Environment;
  readonly status: JobStatus | undefined;
}

const environments = [
  ['production', 'Production'],
  ['sandbox', 'Sandbox'],
] as const;

const statuses = [
  ['pending', 'Pending'],
  ['active', 'Active'],
  ['inactive', 'Inactive'],
  ['expired', 'Expired'],
  ['denied', 'Denied'],
] as const;

/** What the query asks for: production and every status unless it names others. */
export function filterIn(query: URLSearchParams): JobFilter {
  return {
    environment: environments.find(([name]) => name === query.get('environment'))?.[0] ?? 'production',
    status: statuses.find(([name]) => name === query.get('status'))?.[0],
  };
}

export const FilterForm = ({ environment, status }: JobFilter) => (
  <form method="get" action="/dashboard/jobs">
    <div class="grid">
      <SelectField name="environment" label="Environment" value={environment} options={environments} errors={{}} />
      <SelectField name="status" label="Status" value={status ?? ''} options={[['', 'All'], ...statuses]} errors={{}} />
    </div>
    <button type="submit" class="secondary small">
      Show
    </button>
  </form>
);
