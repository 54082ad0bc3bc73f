import { countWaitingCompanies } from '../../queries/company-search.ts';
import { countPendingJobs, type PendingJob, listPendingJobs as pendingJobs } from '../../queries/job-review.ts';
import { type Listed, listed, perPage } from '../page.ts';
import type { ActionContext } from '../recorded.ts';

/** For administrators: the review queue of pending production jobs of all companies, oldest first. */
export async function listPendingJobs(
  ctx: ActionContext,
  { page }: { readonly page: number },
): Promise<Listed<PendingJob>> {
  const [jobs, waiting] = await Promise.all([pendingJobs(ctx.db, { page, perPage }), countPendingJobs(ctx.db)]);
  return listed(jobs, page, waiting.jobs);
}

export interface Waiting {
  /** Production jobs that wait for review, and since when the oldest does. */
  readonly jobs: { readonly jobs: number; readonly oldest: Date | null };
  /** Companies whose plan or grant opens production and that only lack the approval. */
  readonly companies: number;
}

/** What waits for an administrator. */
export async function showWaiting(ctx: ActionContext): Promise<Waiting> {
  const [jobs, companies] = await Promise.all([countPendingJobs(ctx.db), countWaitingCompanies(ctx.db, ctx)]);
  return { jobs, companies };
}
