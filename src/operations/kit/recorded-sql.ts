import type { Company, Prisma } from '../../../generated/prisma/client.ts';
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

/** An audit entry without its actor and time. Never contains a secret, a password, an e-mail address or a job's text. */
export interface AuditNote {
  readonly action: AuditAction;
  readonly companyId?: bigint;
  readonly environment?: Environment;
  readonly details: Prisma.InputJsonObject;
}

export async function writeAudit(tx: Tx, actor: string, now: Date, note: AuditNote): Promise<void> {
  await tx.auditEntry.create({ data: { ...note, actor, createdAt: now }, select: { id: true } });
}
