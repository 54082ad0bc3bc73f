import { db } from './fixtures.ts';

/** The audit entries of a company, oldest first. */
export async function auditOf(companyId: bigint): Promise<{ actor: string; action: string; details: unknown }[]> {
  const select = { actor: true, action: true, details: true };
  return db().auditEntry.findMany({ where: { companyId }, select, orderBy: { id: 'asc' } });
}

export async function lastAudit(companyId: bigint): Promise<{ actor: string; action: string; details: unknown }> {
  const last = (await auditOf(companyId)).at(-1);
  if (!last) throw new Error('the audit trail is empty');
  return last;
}
