import type { Tx } from '../database/transaction.ts';
import type { Tenant } from '../domain/environment.ts';

/** Lists at most `limit` events of a job before the event `before`, newest first. */
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
