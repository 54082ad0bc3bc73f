import type { Db } from '../database/open.ts';
import { inTransaction, type Tx } from '../database/transaction.ts';
import type { RequestTime } from '../domain/request-time.ts';
import { type AuditNote, writeAudit } from '../queries/audit.ts';
import { type CompanyRecord, lockCompany } from '../queries/companies.ts';
import { unknownCompany } from './errors.ts';

/** Who acts, and when; whether this person may is for the adapter to have asked. */
export interface ActionContext extends RequestTime {
  readonly db: Db;
  /** As the audit trail names them: operator, administrator:7, user:12. */
  readonly actor: string;
}

/** What an action hands back, and its trace; null where nothing has changed. */
export interface Done<T> {
  readonly result: T;
  readonly audit: AuditNote | null;
}

/** One transaction of a change and its audit entry: no change without its trace. */
export function recorded<T>(ctx: ActionContext, work: (tx: Tx) => Promise<Done<T>>): Promise<T> {
  return inTransaction(ctx.db, async (tx) => {
    const { result, audit } = await work(tx);
    if (audit) await writeAudit(tx, ctx.actor, ctx.now, audit);
    return result;
  });
}

/** The same for one company, whose other changes wait meanwhile. Refuses with `unknown_company`. */
export function recordedFor<T>(
  ctx: ActionContext,
  companyId: bigint,
  work: (tx: Tx, company: CompanyRecord) => Promise<Done<T>>,
): Promise<T> {
  return recorded(ctx, async (tx) => {
    const company = await lockCompany(tx, companyId);
    if (!company) throw unknownCompany(companyId);
    const { result, audit } = await work(tx, company);
    return { result, audit: audit && { ...audit, companyId } };
  });
}
