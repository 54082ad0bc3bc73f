import { Prisma } from '../../../generated/prisma/client.ts';
import { batchLoader } from '../../database/batch-loader.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import { type Day, dayToDate } from '../../domain/dates.ts';
import { type Entitlement, periodKey, sandboxCapacity } from '../../domain/eligibility.ts';
import { deleteSandbox } from './company-data-sql.ts';

/** Returns the postings counted against an entitlement. */
export const readUsage = async (db: Db, companyId: bigint, entitlement: Entitlement): Promise<number> =>
  (await look(db, { companyId, allowance: entitlement.allowance, start: periodKey(entitlement) }))?.used ?? 0;

interface Count {
  readonly companyId: bigint;
  readonly allowance: Entitlement['allowance'];
  readonly start: Date;
}

const look = batchLoader<Count, { readonly used: number }>({
  types: ['bigint', 'allowance', 'date'],
  partsOf: ({ companyId, allowance, start }) => [companyId, allowance, start.toISOString()],
  find: (companyId, allowance, start) => Prisma.sql`
    SELECT used FROM posting_usage
     WHERE company_id = ${companyId} AND allowance = ${allowance} AND period_start = ${start} LIMIT 1`,
});

/** Copies the count of a subscription's period to another period, because the same postings now belong to that one. */
export async function keepUsage(tx: Tx, companyId: bigint, from: Day, to: Day): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    SELECT company_id, allowance, ${dayToDate(to)}::date, used FROM posting_usage
     WHERE company_id = ${companyId} AND allowance = 'subscription' AND period_start = ${dayToDate(from)}::date
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = greatest(posting_usage.used, excluded.used)`;
}

/** Counts the postings of the last month by ended grants in the period of a new one, which begins on `to`. */
export async function keepGrantUsage(tx: Tx, companyId: bigint, to: Day, today: Day): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    SELECT company_id, allowance, ${dayToDate(to)}::date, max(used) FROM posting_usage
     WHERE company_id = ${companyId} AND allowance = 'complimentary'
       AND period_start <= ${dayToDate(today)}::date AND period_start + interval '1 month' > ${dayToDate(today)}::date
     GROUP BY company_id, allowance
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = greatest(posting_usage.used, excluded.used)`;
}

const sandbox: Entitlement = { allowance: 'sandbox', accessType: 'subscription', limit: sandboxCapacity, period: null };

/** Returns the sandbox jobs created since the last reset. */
export const readSandboxUsage = (db: Db, companyId: bigint): Promise<number> => readUsage(db, companyId, sandbox);

/**
 * Deletes what the sandbox holds, and resets its count, in the caller's transaction.
 * The count comes first: every create locks its row, so each simultaneous create happens entirely before or after.
 */
export async function clearSandbox(
  tx: Tx,
  companyId: bigint,
): Promise<{ jobs: number; keys: number; isChanged: boolean }> {
  const { allowance } = sandbox;
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    VALUES (${companyId}, ${allowance}::allowance, ${periodKey(sandbox)}::date, 0)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = 0`;
  const deleted = await deleteSandbox(tx, companyId);
  const { jobs = 0, idempotency_keys: keys = 0 } = deleted;
  return { jobs, keys, isChanged: Object.values(deleted).some((rows) => rows > 0) };
}
