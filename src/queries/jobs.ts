import { Prisma } from '../../generated/prisma/client.ts';
import { batchLoader } from '../database/batch-loader.ts';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import { type Day, dayToDate } from '../domain/dates.ts';
import type { Tenant } from '../domain/environment.ts';
import type { JobStatus, StoredJob } from '../domain/job.ts';
import type { JobFields } from '../domain/job-rules.ts';
import { storedJob } from './job-columns.ts';

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
  const { revision, ...job } = row;
  return { job, revision };
}

const look = batchLoader<Tenant & { readonly id: bigint }, StoredJob & { readonly revision: number }>({
  types: ['bigint', 'environment', 'bigint'],
  partsOf: ({ companyId, environment, id }) => [companyId, environment, id],
  find: (companyId, environment, id) => Prisma.sql`
    SELECT ${storedJob}, revision FROM jobs
     WHERE company_id = ${companyId} AND environment = ${environment} AND jobs.id = ${id} LIMIT 1`,
});

/**
 * Writes the supplied fields and the status, if the job still has the revision that the caller has read.
 * Otherwise returns undefined and changes nothing.
 */
export async function updateJob(
  db: Db,
  tenant: Tenant,
  read: ReadJob,
  change: JobChange,
): Promise<StoredJob | undefined> {
  const [updated] = await db.rows<StoredJob>(Prisma.sql`SELECT ${storedJob} FROM ${updating(tenant, read, change)}`);
  return updated;
}

/** The same in a transaction; returns whether it was done. */
export async function updateJobIn(tx: Tx, tenant: Tenant, read: ReadJob, change: JobChange): Promise<boolean> {
  const rows = await tx.$queryRaw<object[]>`SELECT true AS done FROM ${updating(tenant, read, change)}`;
  return rows.length > 0;
}

type ReadJob = { readonly job: { readonly id: number }; readonly revision: number };
type JobChange = Required<Omit<Withdrawal, 'revision'>> & { readonly fields: JobFields; readonly status: JobStatus };

const updating = (tenant: Tenant, { job, revision }: ReadJob, { fields, status, now, actor }: JobChange): Prisma.Sql =>
  Prisma.sql`update_job(
      ${tenant.companyId}, ${tenant.environment}, ${BigInt(job.id)}, ${revision}, ${status}, ${actor}, ${now}, ${JSON.stringify(fields)})`;

interface Withdrawal {
  /** The one that the caller has read; if absent, any is withdrawn. */
  readonly revision: number | undefined;
  readonly actor: string;
  readonly now: Date;
}

/** Makes a job inactive. Returns false and changes nothing if there is no such job, it is inactive, or it has another revision. */
export async function withdrawJob(db: Db, tenant: Tenant, id: bigint, withdrawal: Withdrawal): Promise<boolean> {
  const [row] = await db.rows<{ done: boolean }>(withdrawing(tenant, id, withdrawal));
  return row?.done === true;
}

/** The same in a transaction. */
export async function withdrawJobIn(tx: Tx, tenant: Tenant, id: bigint, withdrawal: Withdrawal): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ done: boolean }[]>(withdrawing(tenant, id, withdrawal));
  return row?.done === true;
}

const withdrawing = (
  { companyId, environment }: Tenant,
  id: bigint,
  { revision, actor, now }: Withdrawal,
): Prisma.Sql =>
  Prisma.sql`SELECT withdraw_job(${companyId}, ${environment}, ${id}, ${revision ?? null}, ${actor}, ${now}) AS done`;

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
