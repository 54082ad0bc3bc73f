import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import type { Tenant } from '../domain/environment.ts';
import type { JobStatus } from '../domain/status.ts';
import { insertEvent } from './job-event.ts';

export interface ReviewDecision {
  readonly status: 'active' | 'denied';
  readonly denialReason: string | null;
  readonly actor: string;
  readonly now: Date;
  /** The revision that the reviewer has read; left out, whatever stands is judged. */
  readonly revision?: number | undefined;
}

/** Judges a pending job. False, and nothing changed, where it is not pending or has another revision. */
export async function recordReview(
  tx: Tx,
  { companyId, environment }: Tenant,
  id: bigint,
  decision: ReviewDecision,
): Promise<boolean> {
  const { status, denialReason, actor, now, revision } = decision;
  const read = revision === undefined ? Prisma.sql`true` : Prisma.sql`revision = ${revision}::int`;
  const rows = await tx.$queryRaw<unknown[]>`
    WITH judged AS (
      UPDATE jobs SET status = ${status}::job_status, denial_reason = ${denialReason}, updated_at = ${now}::timestamptz,
                      revision = revision + 1
       WHERE company_id = ${companyId} AND environment = ${environment}::environment AND id = ${id}
         AND status = 'pending' AND ${read}
      RETURNING *),
    noted AS (${insertEvent('judged', status === 'active' ? 'approved' : 'denied', actor)})
    SELECT 1 FROM judged`;
  return rows.length > 0;
}

export async function findJobState(
  tx: Tx,
  { companyId, environment }: Tenant,
  id: bigint,
): Promise<{ status: JobStatus; revision: number } | undefined> {
  const where = { companyId, environment, id };
  return (await tx.job.findFirst({ where, select: { status: true, revision: true } })) ?? undefined;
}

/** Deletes a job for good; its idempotency key stays reserved. False where there is no such job. */
export async function deleteJob(tx: Tx, { companyId, environment }: Tenant, id: bigint): Promise<boolean> {
  const { count } = await tx.job.deleteMany({ where: { companyId, environment, id } });
  return count > 0;
}

/** For an operator, who knows the id alone: no index begins with it, so this reads the table. */
export async function findJobOwner(tx: Tx, id: bigint): Promise<Tenant | undefined> {
  const job = await tx.job.findFirst({ where: { id }, select: { companyId: true, environment: true } });
  return job ?? undefined;
}
