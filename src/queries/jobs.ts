import { Prisma } from '../../generated/prisma/client.ts';
import { batchLoader } from '../database/batch-loader.ts';
import type { Db } from '../database/open.ts';
import type { Tenant } from '../domain/environment.ts';
import type { StoredJob } from '../domain/job.ts';
import type { JobFields } from '../domain/job-rules.ts';
import type { JobStatus } from '../domain/status.ts';
import { sentColumns, storedJob, writableColumns } from './job-columns.ts';
import { insertEvent, mayHaveSurplusEdits, pruneEdits } from './job-event.ts';

export const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`company_id = ${companyId} AND environment = ${environment}::environment`;

export async function findJob(db: Db, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> {
  return (await findRevision(db, tenant, id))?.job;
}

/** A job with its revision, for those who change what they have read. */
export async function findRevision(
  db: Db,
  tenant: Tenant,
  id: bigint,
): Promise<{ job: StoredJob; revision: number } | undefined> {
  const row = await look(db, { ...tenant, id });
  if (!row) return undefined;
  const { place: _, revision, ...job } = row;
  return { job, revision };
}

type JobRow = StoredJob & { readonly revision: number; readonly place: number };

const look = batchLoader<Tenant & { readonly id: bigint }, JobRow>(
  ({ companyId, environment, id }) => `${companyId} ${environment} ${id}`,
  async (db, wanted) => {
    const rows = await db.rows<JobRow>(Prisma.sql`
      SELECT asked.place::float8, found.*
        FROM unnest(${wanted.map(({ companyId }) => companyId)}::bigint[],
                    ${wanted.map(({ environment }) => environment)}::environment[],
                    ${wanted.map(({ id }) => id)}::bigint[]) WITH ORDINALITY AS asked (company_id, environment, id, place),
             LATERAL (SELECT ${storedJob}, revision FROM jobs
                       WHERE company_id = asked.company_id AND environment = asked.environment AND jobs.id = asked.id
                       LIMIT 1) AS found`);
    return new Map(rows.map((row) => [row.place - 1, row]));
  },
);

/**
 * Writes the supplied fields and the status on the revision that the caller has read.
 * Answers undefined, and has changed nothing, where another change came between.
 */
export async function updateJob(
  db: Db,
  tenant: Tenant,
  read: { readonly job: StoredJob; readonly revision: number },
  change: { readonly fields: JobFields; readonly status: JobStatus; readonly now: Date; readonly actor: string },
): Promise<StoredJob | undefined> {
  const id = BigInt(read.job.id);
  const isEdit = change.status === read.job.status;
  const pruned =
    isEdit && mayHaveSurplusEdits(read.revision) ? Prisma.sql`, pruned AS (${pruneEdits(tenant, id)})` : Prisma.empty;
  const [updated] = await db.rows<StoredJob>(Prisma.sql`
    WITH updated AS (
      UPDATE jobs
       SET (${writableColumns}) = (
             SELECT ${sentColumns} FROM jsonb_populate_record(jobs, ${JSON.stringify(change.fields)}::jsonb) AS sent),
           status = ${change.status}::job_status, updated_at = ${change.now}::timestamptz, revision = revision + 1,
           denial_reason = CASE WHEN ${change.status} = 'denied' THEN denial_reason END
     WHERE ${owned(tenant)} AND id = ${id} AND revision = ${read.revision}::int
      RETURNING *),
    noted AS (${insertEvent('updated', 'updated', change.actor, isEdit)})${pruned}
    SELECT ${storedJob} FROM updated`);
  return updated;
}

/**
 * Makes a job inactive; a job that is inactive already stays as it is, and waits for no connection that writes. False where there
 * is no such job.
 */
export async function withdrawJob(db: Db, tenant: Tenant, id: bigint, actor: string, now: Date): Promise<boolean> {
  const job = await findJob(db, tenant, id);
  if (!job || job.status === 'inactive') return job !== undefined;
  await db.rows<unknown>(Prisma.sql`
    WITH withdrawn AS (
      UPDATE jobs SET status = 'inactive', updated_at = ${now}::timestamptz, revision = revision + 1
       WHERE ${owned(tenant)} AND id = ${id} AND status <> 'inactive'
      RETURNING *)
    ${insertEvent('withdrawn', 'withdrawn', actor)}`);
  return true;
}
