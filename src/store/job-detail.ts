import type { Tenant } from '../domain/environment.ts';
import type { Tx } from './transaction.ts';

const named = { id: true, name: true } as const;

/** What belongs to a job besides the contract's fields: names for its ids, why it was denied, and its history, oldest first. */
export async function findJobDetail(tx: Tx, { companyId, environment }: Tenant, id: bigint) {
  const found = await tx.job.findFirst({
    where: { companyId, environment, id },
    select: {
      denialReason: true,
      company: { select: named },
      category: { select: { ...named, parent: { select: named } } },
      district: { select: named },
      events: { select: { kind: true, status: true, actor: true, createdAt: true }, orderBy: { id: 'asc' } },
    },
  });
  return found ?? undefined;
}
