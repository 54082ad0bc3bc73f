import type { Context } from '../../context.ts';
import { countDenials, countWaitingJobs, type DenialReason } from '../../queries/statistics.ts';

const dayMs = 86_400_000;
/** The limits between the ages of waiting jobs, in days. */
const ageLimits = [1, 3, 7] as const;
const auditEntriesMax = 5000;
const reasonsMax = 8;

interface ReviewStatistics {
  /** Waiting jobs younger than a day, three days, seven days, and older. */
  readonly waiting: readonly number[];
  /** The most frequent reasons of the latest denials. */
  readonly denials: readonly DenialReason[];
}

/** Counts waiting jobs by age and the latest denials by reason, for administrators. */
export async function reviewStatistics(ctx: Context): Promise<ReviewStatistics> {
  const before = (days: number): Date => new Date(ctx.now.getTime() - days * dayMs);
  const [day, days, week] = ageLimits;
  const [waiting, denials] = await Promise.all([
    countWaitingJobs(ctx.db, [before(day), before(days), before(week)]),
    countDenials(ctx.db, auditEntriesMax, reasonsMax),
  ]);
  return { waiting, denials };
}
