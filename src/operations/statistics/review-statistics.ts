import type { Context } from '../../context.ts';
import { accessLogDays } from '../../domain/access-entry.ts';
import {
  countDenials,
  countRefusals,
  countWaitingJobs,
  type DenialReason,
  type RefusalCount,
} from '../../queries/statistics.ts';

const dayMs = 86_400_000;
/** The limits between the ages of waiting jobs, in days. */
const ageLimits = [1, 3, 7] as const;
const auditEntriesMax = 5000;
/** Of more refused requests the latest are counted. */
export const refusalsMax = 10_000;
const reasonsMax = 8;

interface ReviewStatistics {
  /** Waiting jobs younger than a day, three days, seven days, and older. */
  readonly waiting: readonly number[];
  /** The most frequent reasons of the latest denials. */
  readonly denials: readonly DenialReason[];
  /** The most frequent reasons of refused API requests in the last seven days. */
  readonly refusals: readonly RefusalCount[];
}

/** Counts waiting jobs by age, and the latest denials and refused requests by reason, for administrators. */
export async function reviewStatistics(ctx: Context): Promise<ReviewStatistics> {
  const before = (days: number): Date => new Date(ctx.now.getTime() - days * dayMs);
  const [day, days, week] = ageLimits;
  return {
    waiting: await countWaitingJobs(ctx.db, [before(day), before(days), before(week)]),
    denials: await countDenials(ctx.db, auditEntriesMax, reasonsMax),
    refusals: await countRefusals(ctx.db, before(accessLogDays), refusalsMax, reasonsMax),
  };
}
