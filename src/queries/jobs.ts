import { Prisma } from '../../generated/prisma/client.ts';
import { batchLoader } from '../database/batch-loader.ts';
import type { Db } from '../database/open.ts';
import { type Day, dayToDate } from '../domain/dates.ts';
import type { Tenant } from '../domain/environment.ts';
import type { JobStatus, StoredJob } from '../domain/job.ts';
import type { JobFields } from '../domain/job-rules.ts';
import { sentColumns, storedJob, writableColumns } from './job-columns.ts';
import { insertEvent, mayHaveSurplusEdits, pruneEdits } from './job-events.ts';

export const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`company_id = ${companyId} AND environment = ${environment}::environment`;

export async function findJob(db: Db, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> {
  return (await findRevision(db, tenant, id))?.job;
}

/** Finds a job with its revision, which a change of it must name. */
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
 * Writes the supplied fields and the status, if the job still has the revision that the caller has read.
 * Otherwise returns undefined and changes nothing.
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

interface Withdrawal {
  /** The revision that the caller has read; if absent, any revision is withdrawn. */
  readonly revision: number | undefined;
  readonly actor: string;
  readonly now: Date;
}

/** Makes a job inactive. Returns false and changes nothing if there is no such job, it is inactive, or it has another revision. */
export async function withdrawJob(
  db: Db,
  tenant: Tenant,
  id: bigint,
  { revision, actor, now }: Withdrawal,
): Promise<boolean> {
  const read = revision === undefined ? Prisma.sql`true` : Prisma.sql`revision = ${revision}::int`;
  const rows = await db.rows<unknown>(Prisma.sql`
    WITH withdrawn AS (
      UPDATE jobs SET status = 'inactive', updated_at = ${now}::timestamptz, revision = revision + 1
       WHERE ${owned(tenant)} AND id = ${id} AND status <> 'inactive' AND ${read}
      RETURNING *)
    ${insertEvent('withdrawn', 'withdrawn', actor)} RETURNING 1`);
  return rows.length > 0;
}

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Lists jobs, newest first; `status` as shown on `today`. Paging and counting use an index only; the table is read only for the rows of
 * the page.
 */
export async function listJobs(
  db: Db,
  tenant: Tenant,
  { page, perPage }: Page,
  status: JobStatus | undefined,
  today: Day,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const ids = idsShownAs(tenant, status, today);
  // With an array the planner can only look the rows up by key; with a subquery it may choose a join.
  const found = await db.rows<{ total: number } & (StoredJob | { id: null })>(Prisma.sql`
    SELECT counted.total, page.*
      FROM (SELECT count(*)::float8 AS total FROM (${ids}) AS listed) AS counted
      LEFT JOIN (SELECT ${storedJob} FROM jobs
                  WHERE ${owned(tenant)} AND id = ANY (ARRAY(
                          SELECT id FROM (${ids}) AS listed
                           ORDER BY id DESC LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint))
                ) AS page ON true
     ORDER BY page.id DESC`);
  const jobs = found.flatMap(({ total: _, ...job }) => (job.id === null ? [] : [job]));
  return { jobs, total: found[0]?.total ?? 0 };
}

/**
 * The same rule as currentStatus, in SQL: a stored `active` whose last day has passed is expired. UNION ALL reads two ordered ranges of the
 * index; an OR would have to sort.
 */
function idsShownAs(tenant: Tenant, status: JobStatus | undefined, today: Day): Prisma.Sql {
  const day = dayToDate(today);
  const stored = (condition: Prisma.Sql) => Prisma.sql`SELECT id FROM jobs WHERE ${owned(tenant)} AND ${condition}`;
  if (status === undefined) return stored(Prisma.sql`true`);
  if (status === 'active')
    return stored(Prisma.sql`status = 'active' AND (valid_until IS NULL OR valid_until >= ${day}::date)`);
  if (status === 'expired')
    return Prisma.sql`
      ${stored(Prisma.sql`status = 'expired'`)}
      UNION ALL ${stored(Prisma.sql`status = 'active' AND valid_until < ${day}::date`)}`;
  return stored(Prisma.sql`status = ${status}::job_status`);
}
