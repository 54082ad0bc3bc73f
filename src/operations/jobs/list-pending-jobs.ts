import type { Context } from '../../context.ts';
import { countWaitingCompanies } from '../../queries/company-search.ts';
import { countPendingJobs, type PendingJob, listPendingJobs as pendingJobs } from '../../queries/job-review.ts';
import { type Listed, listed, perPage } from '../page.ts';

/** Lists the review queue for administrators: pending production jobs of all companies, oldest first. */
export async function listPendingJobs(ctx: Context, { page }: { readonly page: number }): Promise<Listed<PendingJob>> {
  const [jobs, pending] = await Promise.all([pendingJobs(ctx.db, { page, perPage }), countPendingJobs(ctx.db)]);
  return listed(jobs, page, pending.jobs);
}

interface Waiting {
  /** Production jobs pending review, and when the oldest was created. */
  readonly jobs: { readonly jobs: number; readonly oldest: Date | null };
  /** Companies whose plan or grant includes production and that only need approval. */
  readonly companies: number;
}

/** Counts what is waiting for an administrator. */
export async function showWaiting(ctx: Context): Promise<Waiting> {
  const [jobs, companies] = await Promise.all([countPendingJobs(ctx.db), countWaitingCompanies(ctx.db, ctx)]);
  return { jobs, companies };
}
