import type { Context } from '../../context.ts';
import { countWaitingCompanies } from '../../queries/company-search.ts';
import { countPendingJobs } from '../../queries/job-search.ts';

interface Waiting {
  /** Production jobs pending review, and when the oldest was created. */
  readonly jobs: { readonly jobs: number; readonly oldest: Date | null };
  /** Companies whose plan or grant includes production and that only need approval. */
  readonly companies: number;
}

/** Counts what is waiting for an administrator. */
export async function showWaiting(ctx: Context): Promise<Waiting> {
  return { jobs: await countPendingJobs(ctx.db), companies: await countWaitingCompanies(ctx.db, ctx) };
}
