import { Prisma } from '../../generated/prisma/client.ts';
import { dayToDate } from '../domain/dates.ts';
import type { Entitlement } from '../domain/eligibility.ts';
import type { Db } from './open.ts';

/** The key of a count that runs until a reset. */
const noPeriod = '1970-01-01';

export const periodKey = (entitlement: Entitlement): Date => dayToDate(entitlement.period?.start ?? noPeriod);

/** Postings counted against this entitlement so far. */
export async function readUsage(db: Db, companyId: bigint, entitlement: Entitlement): Promise<number> {
  const rows = await db.rows<{ used: number }>(Prisma.sql`
    SELECT used FROM posting_usage
     WHERE company_id = ${companyId} AND allowance = ${entitlement.allowance}::allowance
       AND period_start = ${periodKey(entitlement)}::date`);
  return rows[0]?.used ?? 0;
}
