import type { Tx } from '../database/transaction.ts';
import type { Tenant } from '../domain/environment.ts';

const named = { id: true, name: true } as const;

/** What belongs to a job besides the contract's fields: names for its ids and why it was denied. */
export async function findJobDetail(tx: Tx, { companyId, environment }: Tenant, id: bigint) {
  const found = await tx.job.findFirst({
    where: { companyId, environment, id },
    select: {
      denialReason: true,
      company: { select: named },
      category: { select: { ...named, parent: { select: named } } },
      district: { select: named },
    },
  });
  return found ?? undefined;
}

/** A job's history, newest first: the events before the one with the id `before`, at most `limit`. */
export const listEvents = (
  tx: Tx,
  { companyId, environment }: Tenant,
  jobId: bigint,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
) =>
  tx.jobEvent.findMany({
    where: { companyId, environment, jobId, ...(before === undefined ? {} : { id: { lt: before } }) },
    select: { id: true, kind: true, status: true, actor: true, createdAt: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
