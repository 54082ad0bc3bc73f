import type { Tx } from '../database/transaction.ts';
import type { Day } from '../domain/dates.ts';
import type { Tenant } from '../domain/environment.ts';
import type { JobStatus } from '../domain/job.ts';

export interface ReviewDecision {
  readonly status: 'active' | 'denied';
  readonly denialReason: string | null;
  readonly actor: string;
  readonly now: Date;
  /** The revision that the reviewer has read; if absent, any revision is reviewed. */
  readonly revision?: number | undefined;
}

/** Reviews a pending job. Returns false and changes nothing if it is not pending or has another revision. */
export async function recordReview(
  tx: Tx,
  { companyId, environment }: Tenant,
  id: bigint,
  decision: ReviewDecision,
): Promise<boolean> {
  const { status, denialReason, actor, now, revision } = decision;
  const [row] = await tx.$queryRaw<{ done: boolean }[]>`
    SELECT review_job(${companyId}, ${environment}, ${id}, ${revision ?? null}, ${status}, ${denialReason}, ${actor}, ${now}) AS done`;
  return row?.done === true;
}

export async function findJobState(
  tx: Tx,
  { companyId, environment }: Tenant,
  id: bigint,
): Promise<{ status: JobStatus; revision: number } | undefined> {
  const where = { companyId, environment, id };
  return (await tx.job.findFirst({ where, select: { status: true, revision: true } })) ?? undefined;
}

/** Deletes a job for good; its idempotency key stays reserved. Returns false if there is no such job. */
export async function deleteJob(tx: Tx, { companyId, environment }: Tenant, id: bigint): Promise<boolean> {
  const { count } = await tx.job.deleteMany({ where: { companyId, environment, id } });
  return count > 0;
}

/** Finds at most two jobs. Without a company it reads the whole table, because no index begins with the id. Only for the operator. */
export function findJobOwners(
  tx: Tx,
  id: bigint,
  { companyId, environment }: { readonly [Key in keyof Tenant]: Tenant[Key] | undefined },
): Promise<Tenant[]> {
  const where = { id, ...(companyId !== undefined && { companyId }), ...(environment && { environment }) };
  return tx.job.findMany({ where, select: { companyId: true, environment: true }, take: 2 });
}

export interface PendingJob {
  readonly companyId: bigint;
  readonly companyName: string;
  readonly jobId: bigint;
  readonly title: string;
  readonly category: string | null;
  readonly district: string | null;
  readonly validUntil: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Counts pending production jobs and returns when the oldest was created. */
export async function countPendingJobs(tx: Tx): Promise<{ jobs: number; oldest: Date | null }> {
  const rows = await tx.$queryRaw<{ jobs: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS jobs, min(created_at) AS oldest
      FROM jobs WHERE status = 'pending' AND environment = 'production'`;
  return rows[0] ?? { jobs: 0, oldest: null };
}

const named = { id: true, name: true } as const;

/** Finds what a job has besides the contract's fields: the names behind its ids and the reason of a denial. */
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
