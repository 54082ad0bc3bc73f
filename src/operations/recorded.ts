import type { Context } from '../context.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import { actorName } from '../domain/actor.ts';
import { unknownCompany } from '../domain/errors.ts';
import { type AuditNote, writeAudit } from '../queries/audit.ts';
import { type CompanyRecord, lockCompany } from '../queries/companies.ts';

/** The result of a change and its audit entry; `audit` is null if nothing changed. */
interface Recorded<T> {
  readonly result: T;
  readonly audit: AuditNote | null;
}

/** Runs a change and writes its audit entry in one transaction. */
export function recorded<T>(ctx: Context, work: (tx: Tx) => Promise<Recorded<T>>): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    const { result, audit } = await work(tx);
    if (audit) await writeAudit(tx, actorName(ctx.actor), ctx.now, audit);
    return result;
  });
}

/** The same for one company, which stays locked until the transaction ends. Throws `unknown_company`. */
export function recordedFor<T>(
  ctx: Context,
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
