import type { Company, Prisma } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { Environment } from '../../domain/environment.ts';

export type CompanyRecord = Pick<
  Company,
  'verified' | 'autoPublish' | 'suspendedAt' | 'productionApprovedAt' | 'productionRequestedAt'
>;

/**
 * Reads a company and locks it against other changes until this transaction ends.
 * FOR UPDATE would also block the company's postings; NO KEY UPDATE does not.
 */
export async function lockCompany(tx: Tx, companyId: bigint): Promise<CompanyRecord | undefined> {
  const rows = await tx.$queryRaw<CompanyRecord[]>`
    SELECT verified, auto_publish AS "autoPublish", suspended_at AS "suspendedAt",
           production_approved_at AS "productionApprovedAt", production_requested_at AS "productionRequestedAt"
      FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
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
