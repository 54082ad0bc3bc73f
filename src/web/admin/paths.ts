import { searchQueue } from '../../operations/jobs/people/search-jobs.ts';
import type { JobRef } from '../../operations/jobs/people/show-job.ts';
import { fieldsOf, fromText } from '../../operations/kit/fields.ts';
import type { LoggedRequest } from '../../telemetry/logged-request.ts';
import { filterIn } from '../list.tsx';
import type { AdminContext } from '../page.ts';

export const findPath = '/admin/find';
export const queuePath = '/admin/review';
export const allJobsPath = '/admin/jobs';

export const companyPath = (companyId: bigint): string => `/admin/companies/${companyId}`;

export const companyJobsPath = ({ companyId, environment }: Omit<JobRef, 'jobId'>): string =>
  `${allJobsPath}?companyId=${companyId}&environment=${environment}`;

export const jobPath = ({ companyId, environment, jobId }: JobRef): string =>
  `${companyPath(companyId)}/${environment}/jobs/${jobId}`;

export const requestPath = ({
  companyId,
  environment,
  requestId,
}: Pick<LoggedRequest, 'companyId' | 'environment' | 'requestId'>): string =>
  `/admin/requests/${companyId}/${environment}/${requestId}`;

const queueFields = fieldsOf(searchQueue.input).filter(({ name }) => name !== 'page');

/**
 * Reads the pass through the review queue from the query: the queue's filter, as texts for links and as input, and how many of its jobs the
 * reviewer has seen. Leaves out values that the queue refuses.
 */
export function passIn({ query }: AdminContext) {
  const accepted = queueFields.filter(
    (field) => field.schema.safeParse(fromText(field, query.get(field.name)?.trim() ?? '')).success,
  );
  const { query: filter, input } = filterIn(query, accepted, {});
  const seen = Number(/^\d{1,6}$/.exec(query.get('seen') ?? '')?.[0] ?? 0);
  return { filter, input, seen };
}

export type Pass = ReturnType<typeof passIn>;

interface Step extends Pick<Pass, 'filter'> {
  readonly seen?: number;
  /** Whether the page redirects to the next job if another reviewer has opened this one or decided about it. */
  readonly isNext?: boolean;
}

/** Adds the pass to an address. Without `seen`, adds only the filter. */
export function withPass(path: string, { filter, seen, isNext }: Step): string {
  const query = new URLSearchParams({
    ...filter,
    ...(seen ? { seen: String(seen) } : {}),
    ...(isNext && { next: '1' }),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}
