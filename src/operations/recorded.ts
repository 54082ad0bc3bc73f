import { isDeepStrictEqual } from 'node:util';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import { actorName } from '../domain/actor.ts';
import { unknownCompany } from '../domain/errors.ts';
import { type AuditNote, writeAudit } from './audit/audit-sql.ts';
import { type CompanyRecord, lockCompany } from './companies/companies-sql.ts';
import type { ChangeContext } from './declare.ts';

/**
 * Milliseconds to wait for a connection, and for the whole transaction. A new object each time, because Prisma marks it in a nested
 * transaction.
 */
const options = () => ({ maxWait: 5_000, timeout: 10_000 });

/**
 * Runs `work` in a transaction, and rolls back if it throws. READ COMMITTED: a statement after a lock sees the changes that the lock waited
 * for.
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => db.$transaction(work, options());

/** The result of a change and its audit entry; `audit` is null if nothing changed. */
interface Recorded<T> {
  readonly result: T;
  readonly audit: Partial<Omit<AuditNote, 'action'>> | null;
}

/** The audit entry of a value that is set. Null if it was set already: a change that is sent twice is recorded once. */
export const ifChanged = <T, Audit>(before: T | undefined, after: T, audit: Audit): Audit | null =>
  isDeepStrictEqual(before, after) ? null : audit;

/** Runs a change and writes its audit entry, with the declared action and the person's reason, in one transaction. */
export function recorded<T>(ctx: ChangeContext, work: (tx: Tx) => Promise<Recorded<T>>): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    const { result, audit } = await work(tx);
    const details = { ...audit?.details, ...(ctx.reason !== undefined && { reason: ctx.reason }) };
    if (audit) await writeAudit(tx, actorName(ctx.actor), ctx.now, { ...audit, action: ctx.records, details });
    return result;
  });
}

/** The same for one company. The company stays locked until the transaction ends. Throws `unknown_company`. */
export function recordedFor<T>(
  ctx: ChangeContext,
  companyId: bigint,
  work: (tx: Tx, company: CompanyRecord) => Promise<Recorded<T>>,
): Promise<T> {
  return recorded(ctx, async (tx) => {
    const company = await lockCompany(tx, companyId);
    if (!company) throw unknownCompany(companyId);
    const { result, audit } = await work(tx, company);
    return { result, audit: audit && { ...audit, companyId } };
  });
}
