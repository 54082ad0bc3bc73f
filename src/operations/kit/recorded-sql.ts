import type { Company, Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { Environment } from '../../domain/environment.ts';

/**
 * Locks a company against other changes until this transaction ends, and reads since when it is suspended.
 * FOR UPDATE would also block the company's postings; NO KEY UPDATE does not.
 */
export async function lockCompany(tx: Tx, companyId: bigint): Promise<Pick<Company, 'suspendedAt'> | undefined> {
  const rows = await tx.$queryRaw<Pick<Company, 'suspendedAt'>[]>`
    SELECT suspended_at AS "suspendedAt" FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
  return rows[0];
}

export const isCompany = async (db: Db, id: bigint): Promise<boolean> =>
  (await db.company.count({ where: { id } })) > 0;

/**
 * An audit entry without its actor and time. Never contains a secret, a password, an e-mail address or what the contract stores, such as a
 * job's title or the name of a row: the entry outlives them.
 */
export interface AuditNote {
  readonly action: AuditAction;
  readonly companyId?: bigint;
  readonly environment?: Environment;
  readonly details: Prisma.InputJsonObject;
}

export async function writeAudit(tx: Tx, actor: string, now: Date, note: AuditNote): Promise<void> {
  await tx.auditEntry.create({ data: { ...note, actor, createdAt: now }, select: { id: true } });
}

/** An entry of the audit trail about a company. */
export interface RecordedEntry {
  readonly action: AuditAction;
  /** As the audit trail stores it: administrator:7. */
  readonly actor: string;
  readonly at: Date;
  readonly reason: string | null;
}

/** The most entries of a company that are searched for its latest decision. */
const searchedMax = 2000;

/** Finds the latest of these actions among a company's newest entries. */
export async function findLatest(
  tx: Tx,
  companyId: bigint,
  actions: readonly AuditAction[],
): Promise<RecordedEntry | undefined> {
  const [latest] = await tx.$queryRaw<RecordedEntry[]>`
    SELECT action, actor, created_at AS at, details->>'reason' AS reason
      FROM (SELECT * FROM audit_entries WHERE company_id = ${companyId} ORDER BY id DESC LIMIT ${searchedMax}::int) AS newest
     WHERE action = ANY (${actions}::text[]) ORDER BY id DESC LIMIT 1`;
  return latest;
}
