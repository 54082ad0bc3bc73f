import type { Context } from '../../context.ts';
import type { Tenant } from '../../domain/environment.ts';
import type { PendingJob } from '../../queries/job-review.ts';
import {
  type FoundJob,
  searchJobs as find,
  type JobSearch,
  type QueueSearch,
  searchPendingJobs,
} from '../../queries/job-search.ts';
import { type Listed, listed, perPage } from '../page.ts';
import { listCompanyJobs } from './list-jobs.ts';
import { listPendingJobs } from './list-pending-jobs.ts';

/** How many of a company's latest jobs a search or another order looks through. */
export const searchedJobsMax = 5000;
/** The same of the review queue. */
export const searchedQueueMax = 1000;

export type ListedJob = Omit<FoundJob, 'total'>;

/** Lists jobs of one company and environment for its pages. Without a text and newest first these are all, otherwise the latest 5,000. */
export async function searchJobs(
  ctx: Context,
  { page, text, status, sort, ...tenant }: Tenant & JobSearch & { readonly page: number },
): Promise<Listed<ListedJob>> {
  if (text === undefined && sort === 'newest') {
    const { items, total } = await listCompanyJobs(ctx, { ...tenant, status, page });
    return listed(items.map(asListed), page, total);
  }
  const found = await find(
    ctx.db,
    tenant,
    { text, status, sort },
    { page, perPage, jobsMax: searchedJobsMax, today: ctx.today },
  );
  return listed(found, page, found[0]?.total ?? 0);
}

type CompanyJob = Awaited<ReturnType<typeof listCompanyJobs>>['items'][number];

const asListed = ({ id, title, status, valid_until, created_at, updated_at }: CompanyJob): ListedJob => ({
  id,
  title,
  status,
  validUntil: valid_until,
  createdAt: new Date(created_at ?? 0),
  updatedAt: new Date(updated_at ?? 0),
});

/** Lists the review queue for administrators. Without a text and oldest first this is all of it, otherwise the first 1,000 in that order. */
export async function searchQueue(
  ctx: Context,
  { page, ...search }: QueueSearch & { readonly page: number },
): Promise<Listed<PendingJob>> {
  if (search.text === undefined && search.sort === 'oldest') return listPendingJobs(ctx, { page });
  const found = await searchPendingJobs(ctx.db, search, { page, perPage, jobsMax: searchedQueueMax });
  return listed(found, page, found[0]?.total ?? 0);
}
