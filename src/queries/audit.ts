import type { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import type { AuditAction } from '../domain/audit-actions.ts';
import type { Environment } from '../domain/environment.ts';

/** What an audit entry says besides who and when. Never a secret, a password, an e-mail address or a job's text. */
export interface AuditNote {
  readonly action: AuditAction;
  readonly companyId?: bigint;
  readonly environment?: Environment;
  readonly details: Prisma.InputJsonObject;
}

export async function writeAudit(tx: Tx, actor: string, now: Date, note: AuditNote): Promise<void> {
  await tx.auditEntry.create({ data: { ...note, actor, createdAt: now }, select: { id: true } });
}
