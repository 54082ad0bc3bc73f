import { Prisma } from '../../../generated/prisma/client.ts';
import type { ApiContext } from '../../context.ts';
import { batchLoader } from '../../database/batch-loader.ts';
import { byKeys, type OwnedKey } from '../../database/by-keys.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import type { Tenant } from '../../domain/environment.ts';
import { showing } from '../job-status-sql.ts';
import { contains, owned, type Page, pageOf, when } from '../kit/clauses-sql.ts';
import type { JobStatus, StoredJob } from './job.ts';
import {
  type JobValues,
  type ListedJobValues,
  listedJob,
  listedJobOf,
  storedJob,
  storedJobOf,
} from './job-columns-sql.ts';

/** A job with the idempotency key that created it, if there is one. */
export interface KeyedJob {
  readonly job: StoredJob;
  readonly key: string | undefined;
}

export async function findKeyedJob(db: Db, tenant: Tenant, id: bigint): Promise<KeyedJob | undefined> {
  const found = await lookWithKey(db, { ...tenant, id });
  return found && { job: storedJobOf(found.job), key: found.key ?? undefined };
}

export async function findJob(db: Db, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> {
  const found = await look(db, { ...tenant, id });
  return found && storedJobOf(found.job);
}

/** Finds the jobs with these ids, in any order. */
export async function findWholeJobs(
  db: Db,
  tenant: Tenant,
  jobs: readonly { readonly id: number }[],
): Promise<StoredJob[]> {
  const ids = jobs.map(({ id }) => BigInt(id));
  const found = await db.$queryRaw<FoundJob[]>`
    SELECT ${storedJob} AS job FROM jobs WHERE ${owned(tenant)} AND id = ANY (${ids}::bigint[])`;
  return found.map(({ job }) => storedJobOf(job));
}

/** Finds the idempotency keys that created these jobs. Returns each key by its job's id. */
export async function findKeys(db: Db, tenant: Tenant, jobs: readonly StoredJob[]): Promise<Record<string, string>> {
  const ids = jobs.map(({ id }) => BigInt(id));
  const found = await db.$queryRaw<{ id: string; key: string }[]>`
    SELECT job_id::text AS id, key FROM idempotency_keys WHERE ${owned(tenant)} AND job_id > 0 AND job_id = ANY (${ids}::bigint[])`;
  return Object.fromEntries(found.map(({ id, key }) => [id, key]));
}

/** Finds a job and locks it against other changes until the transaction ends. */
export async function lockJob(tx: Tx, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> {
  const [found] = await tx.$queryRaw<FoundJob[]>`
    SELECT ${storedJob} AS job FROM jobs WHERE ${owned(tenant)} AND id = ${id} FOR NO KEY UPDATE`;
  return found && storedJobOf(found.job);
}

interface FoundJob {
  readonly job: JobValues;
}

/** Makes a batch loader of jobs. `more` returns the SQL of further columns for a company, environment and id. */
const lookup = <Found extends FoundJob>(more: (...key: Prisma.Sql[]) => Prisma.Sql) =>
  batchLoader<Tenant & { readonly id: bigint }, Found>({
    types: ['bigint', 'environment', 'bigint'],
    partsOf: ({ companyId, environment, id }) => [companyId, environment, id],
    find: (companyId, environment, id) => Prisma.sql`
      SELECT ${storedJob} AS job${more(companyId, environment, id)} FROM jobs
       WHERE company_id = ${companyId} AND environment = ${environment} AND jobs.id = ${id} LIMIT 1`,
  });

const look = lookup(() => Prisma.empty);

// job_id is 0 while a create runs. Conditions on keys include `job_id > 0`, so that PostgreSQL can use the partial index of keys.
const lookWithKey = lookup<FoundJob & { readonly key: string | null }>(
  (companyId, environment, id) => Prisma.sql`, (
      SELECT key FROM idempotency_keys AS used
       WHERE used.company_id = ${companyId} AND used.environment = ${environment} AND job_id = ${id} AND job_id > 0 LIMIT 1) AS key`,
);

/** Selects the ids of the jobs that show `status` on `today`. UNION ALL reads ordered ranges of the index; an OR would have to sort. */
export const idsOf = (tenant: Tenant, status: JobStatus | undefined, today: Day): Prisma.Sql =>
  Prisma.join(
    showing(status, today).map((condition) => Prisma.sql`SELECT id FROM jobs WHERE ${owned(tenant)} AND ${condition}`),
    ' UNION ALL ',
  );

/** The condition for one page of `ids`. With an array, the planner can only look rows up by key; with a subquery, it may choose a join. */
export const onPage = (tenant: Tenant, ids: Prisma.Sql, page: Page): Prisma.Sql =>
  Prisma.sql`${owned(tenant)} AND id = ANY (ARRAY(SELECT id FROM (${ids}) AS listed ORDER BY id DESC ${pageOf(page)}))`;

/**
 * Lists the jobs that show `status` today, newest first. Paging and counting read only an index; the table is read only for the page's
 * rows.
 */
export async function listJobs(
  db: Db,
  tenant: Tenant,
  page: Page,
  status: JobStatus | undefined,
  { today, wanted }: Pick<ApiContext, 'today' | 'wanted'>,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const ids = idsOf(tenant, status, today);
  const found = await db.$queryRaw<({ total: number } & (ListedJobValues | { job: null }))[]>`
    SELECT counted.total, page.*
      FROM (SELECT count(*)::float8 AS total FROM (${ids}) AS listed) AS counted
      LEFT JOIN (SELECT id, ${listedJob(wanted)} FROM jobs WHERE ${onPage(tenant, ids, page)}) AS page ON true
     ORDER BY page.id DESC`;
  return { jobs: found.flatMap((row) => (row.job ? [listedJobOf(row)] : [])), total: found[0]?.total ?? 0 };
}

const named = { id: true, name: true } as const;

/** Finds the titles of the jobs with these keys, in any environment. With a text, finds only titles that contain each of its words. */
export const findTitles = (tx: Tx, keys: readonly OwnedKey[], text?: string) =>
  tx.$queryRaw<{ id: bigint; title: string }[]>`
    SELECT id, title FROM ${byKeys(Prisma.sql`jobs`, keys)}
       AND environment IN ('sandbox', 'production') AND ${when(text, (words) => contains('title_folded', words))}
     LIMIT ${keys.length}`;

/** Finds a job's data beyond the contract's fields: the names of its company, category and district, and while it is denied, the reason. */
export async function findJobDetail(tx: Tx, { companyId, environment }: Tenant, id: bigint) {
  const select = { status: true, denialReason: true, categoryId: true, districtId: true, company: { select: named } };
  const job = await tx.job.findFirst({ where: { companyId, environment, id }, select });
  if (!job) return undefined;
  const { status, denialReason, categoryId, districtId, ...detail } = job;
  const withParent = { ...named, parent: { select: named } };
  return {
    ...detail,
    // A withdrawal keeps the stored reason.
    denialReason: status === 'denied' ? denialReason : null,
    category: categoryId ? await tx.category.findUnique({ where: { id: categoryId }, select: withParent }) : null,
    district: districtId ? await tx.district.findUnique({ where: { id: districtId }, select: named }) : null,
  };
}

/** Lists at most `limit` events of a job before the event `before`, newest first. */
export const listEvents = (
  tx: Tx,
  { companyId, environment }: Tenant,
  jobId: bigint,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
) =>
  tx.jobEvent.findMany({
    where: { companyId, environment, jobId, ...(before === undefined ? {} : { id: { lt: before } }) },
    select: { id: true, kind: true, status: true, actor: true, reason: true, createdAt: true, isEdit: true },
    orderBy: { id: 'desc' },
    take: limit,
  });
