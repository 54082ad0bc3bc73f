import { Prisma } from '../../../generated/prisma/client.ts';
import { batchLoader } from '../../database/batch-loader.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import { type Day, dayToDate } from '../../domain/dates.ts';
import { type Entitlement, monthlyPeriod, periodKey, sandboxCapacity } from '../../domain/eligibility.ts';
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

/**
 * Keeps the current period's postings counted when the first day changes from `from` to `to`: copies their count to the new period that
 * contains today. `from` is the first day of the previous plan or grant, even if that has ended. Without `from`, does nothing.
 */
export async function keepUsage(
  tx: Tx,
  companyId: bigint,
  allowance: Entitlement['accessType'],
  { from, to, today }: { readonly from: Day | undefined; readonly to: Day; readonly today: Day },
): Promise<void> {
  if (from === undefined) return;
  const [before, after] = [monthlyPeriod(from, today).start, monthlyPeriod(to, today).start];
  if (before === after) return;
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    SELECT company_id, allowance, ${dayToDate(after)}::date, used FROM posting_usage
     WHERE company_id = ${companyId} AND allowance = ${allowance}::allowance AND period_start = ${dayToDate(before)}::date
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = greatest(posting_usage.used, excluded.used)`;
}

const sandbox: Entitlement = { allowance: 'sandbox', accessType: 'subscription', limit: sandboxCapacity, period: null };

/** Returns the number of sandbox jobs created since the last reset. */
export const readSandboxUsage = (db: Db, companyId: bigint): Promise<number> => readUsage(db, companyId, sandbox);

/**
 * Resets a sandbox's posting count and deletes its data, in the caller's transaction. Returns what `deleteSandbox` returns.
 * The count is reset first: every create locks its row, so a simultaneous create happens entirely before or after the reset.
 */
export async function clearSandbox(tx: Tx, companyId: bigint): ReturnType<typeof deleteSandbox> {
  const { allowance } = sandbox;
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    VALUES (${companyId}, ${allowance}::allowance, ${periodKey(sandbox)}::date, 0)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = 0`;
  return deleteSandbox(tx, companyId);
}
