import { dayToDate } from '../domain/dates.ts';
import type { Entitlement } from '../domain/eligibility.ts';
import type { Db } from './open.ts';

/** The key of a count that runs until a reset. */
const noPeriod = '1970-01-01';

export const periodKey = (entitlement: Entitlement): Date => dayToDate(entitlement.period?.start ?? noPeriod);

/** Postings counted against this entitlement so far. */
export async function readUsage(db: Db, companyId: bigint, entitlement: Entitlement): Promise<number> {
  const row = await db.postingUsage.findFirst({
    where: { companyId, allowance: entitlement.allowance, periodStart: periodKey(entitlement) },
    select: { used: true },
  });
  return row?.used ?? 0;
}
