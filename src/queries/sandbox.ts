import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import type { Entitlement } from '../domain/eligibility.ts';
import { sandboxCapacity } from '../domain/quota.ts';
import { periodKey, readUsage } from './usage.ts';

const sandbox: Entitlement = { allowance: 'sandbox', accessType: 'subscription', limit: sandboxCapacity, period: null };

/** Jobs made since the last reset. */
export const readSandboxUsage = (db: Db, companyId: bigint): Promise<number> => readUsage(db, companyId, sandbox);

/**
 * Deletes the sandbox's jobs and idempotency keys and sets its count to zero, for a transaction.
 * The count goes first: its row is the one that every create locks, so each simultaneous create falls wholly before or after.
 */
export async function clearSandbox(tx: Tx, companyId: bigint): Promise<{ jobs: number; keys: number }> {
  const { allowance } = sandbox;
  await tx.$executeRaw`
    INSERT INTO posting_usage (company_id, allowance, period_start, used)
    VALUES (${companyId}, ${allowance}::allowance, ${periodKey(sandbox)}::date, 0)
    ON CONFLICT (company_id, allowance, period_start) DO UPDATE SET used = 0`;
  const where = { companyId, environment: 'sandbox' } as const;
  const jobs = await tx.job.deleteMany({ where });
  const keys = await tx.idempotencyKey.deleteMany({ where });
  return { jobs: jobs.count, keys: keys.count };
}
