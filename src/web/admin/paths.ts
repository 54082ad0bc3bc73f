import type { JobRef } from '../../operations/jobs/people/show-job.ts';
import type { LoggedRequest } from '../../telemetry/logged-request.ts';
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

/** The greatest number of characters that a list's search accepts. */
export const searchedMax = 255;

/** Reads the pass through the review queue from the query: the queue's filter, and how many of its jobs the reviewer has seen. */
export function passIn({ query }: AdminContext) {
  const text = query.get('text')?.trim().slice(0, searchedMax) || undefined;
  const seen = Number(/^\d{1,6}$/.exec(query.get('seen') ?? '')?.[0] ?? 0);
  const sort = query.get('sort') === 'newest' ? ('newest' as const) : ('oldest' as const);
  return { text, sort, seen };
}

export type Pass = ReturnType<typeof passIn>;

interface Step extends Pick<Pass, 'text' | 'sort'> {
  readonly seen?: number;
  /** Whether the page redirects to the next job if another reviewer has opened this one or decided about it. */
  readonly isNext?: boolean;
}

/** Adds the pass to an address. Without `seen`, adds only the filter. */
export function withPass(path: string, { text, sort, seen, isNext }: Step): string {
  const filter = { ...(text !== undefined && { text }), ...(sort === 'newest' && { sort }) };
  const query = new URLSearchParams({
    ...filter,
    ...(seen ? { seen: String(seen) } : {}),
    ...(isNext && { next: '1' }),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}
