import { countPendingJobs, type PendingJob, listPendingJobs as pendingJobs } from '../../queries/review-queue.ts';
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
