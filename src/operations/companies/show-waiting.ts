import { countWaitingCompanies } from '../../queries/company-search.ts';
import { countPendingJobs } from '../../queries/review-queue.ts';
import type { ActionContext } from '../recorded.ts';

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
