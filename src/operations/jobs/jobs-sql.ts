import { Prisma } from '../../../generated/prisma/client.ts';
import { batchLoader } from '../../database/batch-loader.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import type { PartialTenant, Tenant } from '../../domain/environment.ts';
import { owned, type Page, pageOf } from '../clauses-sql.ts';
import type { JobStatus, StoredJob } from './job.ts';
import { storedJob } from './job-columns-sql.ts';
import { showing } from './job-status-sql.ts';

export const findJob = (db: Db, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> =>
  look(db, { ...tenant, id });

/** Finds a job and locks it for other changes until the transaction ends. */
export async function lockJob(tx: Tx, tenant: Tenant, id: bigint): Promise<StoredJob | undefined> {
  const [job] = await tx.$queryRaw<StoredJob[]>`
    SELECT ${storedJob} FROM jobs WHERE ${owned(tenant)} AND id = ${id} FOR NO KEY UPDATE`;
  return job;
}

const look = batchLoader<Tenant & { readonly id: bigint }, StoredJob>({
  types: ['bigint', 'environment', 'bigint'],
  partsOf: ({ companyId, environment, id }) => [companyId, environment, id],
  find: (companyId, environment, id) => Prisma.sql`
    SELECT ${storedJob} FROM jobs
     WHERE company_id = ${companyId} AND environment = ${environment} AND jobs.id = ${id} LIMIT 1`,
});

/** The ids of jobs, by `status` as shown on `today`. UNION ALL reads ordered ranges of the index; an OR would have to sort. */
export const idsOf = (tenant: Tenant, status: JobStatus | undefined, today: Day): Prisma.Sql =>
  Prisma.join(
    showing(status, today).map((condition) => Prisma.sql`SELECT id FROM jobs WHERE ${owned(tenant)} AND ${condition}`),
    ' UNION ALL ',
  );

/** The jobs with one page of ids. With an array, the planner can only look the rows up by key; with a subquery, it may choose a join. */
export const onPage = (tenant: Tenant, ids: Prisma.Sql, page: Page): Prisma.Sql =>
  Prisma.sql`${owned(tenant)} AND id = ANY (ARRAY(SELECT id FROM (${ids}) AS listed ORDER BY id DESC ${pageOf(page)}))`;

/**
 * Lists jobs, newest first, by `status` as shown on `today`. Paging and counting read only an index; the table is read only for the page's
 * rows.
 */
export async function listJobs(
  db: Db,
  tenant: Tenant,
  page: Page,
  status: JobStatus | undefined,
  today: Day,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const ids = idsOf(tenant, status, today);
  const found = await db.rows<{ _total: number } & (StoredJob | { id: null })>(Prisma.sql`
    SELECT counted.total AS _total, page.*
      FROM (SELECT count(*)::float8 AS total FROM (${ids}) AS listed) AS counted
      LEFT JOIN (SELECT ${storedJob} FROM jobs WHERE ${onPage(tenant, ids, page)}) AS page ON true
     ORDER BY page.id DESC`);
  const jobs = found.flatMap(({ _total: _, ...job }) => (job.id === null ? [] : [job]));
  return { jobs, total: found[0]?._total ?? 0 };
}

/** Finds at most two jobs. Without a company, reads the whole table, because no index begins with the id. Only for the operator. */
export function findJobOwners(tx: Tx, id: bigint, { companyId, environment }: PartialTenant): Promise<Tenant[]> {
  const where = { id, ...(companyId !== undefined && { companyId }), ...(environment && { environment }) };
  return tx.job.findMany({ where, select: { companyId: true, environment: true }, take: 2 });
}

const named = { id: true, name: true } as const;

/** Finds a job's data beyond the contract's fields: the names for its ids and the reason of a denial. */
export async function findJobDetail(tx: Tx, { companyId, environment }: Tenant, id: bigint) {
  const select = { denialReason: true, categoryId: true, districtId: true, company: { select: named } };
  const job = await tx.job.findFirst({ where: { companyId, environment, id }, select });
  if (!job) return undefined;
  const { categoryId, districtId, ...detail } = job;
  const withParent = { ...named, parent: { select: named } };
  return {
    ...detail,
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
