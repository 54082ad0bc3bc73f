import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import type { PartialTenant, Tenant } from '../../domain/environment.ts';
import { contains, idFirst, owned, type Page, pageOf, searchedId, when } from '../clauses-sql.ts';
import type { JobStatus } from './job.ts';
import { shownStatus } from './job-status-sql.ts';
import { idsOf, onPage } from './jobs-sql.ts';

// No index includes titles. A search reads a bounded number of jobs instead, so that it costs the same for a company of any size.

const orders = {
  newest: Prisma.sql`id DESC`,
  oldest: Prisma.sql`id`,
  changed: Prisma.sql`updated_at DESC, id DESC`,
  title: Prisma.sql`lower(title), id`,
};

type JobSort = keyof typeof orders;

export interface JobSearch {
  /** Words of a title (across companies, also of the company's name), ignoring case and accents; or an id. */
  readonly text?: string | undefined;
  /** Whether the company's name counts; by default it does. */
  readonly byCompany?: boolean;
  /** As shown today: an active job whose last day has passed is expired. */
  readonly status?: JobStatus | undefined;
  /** When it was created. */
  readonly since?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  readonly sort: JobSort;
}

interface FoundJob {
  readonly id: number;
  readonly title: string;
  readonly status: JobStatus;
  readonly validUntil: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The number of found jobs, repeated in every row. */
  readonly total: number;
}

export interface ListedJob extends FoundJob {
  readonly category: string | null;
  readonly district: string | null;
}

/** Across companies. */
interface FoundAnywhere extends FoundJob, Tenant {
  readonly companyName: string;
}

const within = ({ companyId, environment }: PartialTenant): Prisma.Sql => Prisma.sql`
  ${when(companyId, (id) => Prisma.sql`company_id = ${id}`)} AND ${when(environment, (name) => Prisma.sql`environment = ${name}::environment`)}`;

export type Range = Page & { readonly jobsMax: number; readonly today: Day };

/** The columns of found jobs, and these additional ones. */
const found = (more: Prisma.Sql, last: Prisma.Sql, name = 'total'): Prisma.Sql => Prisma.sql`
  SELECT id::float8 AS id, title, status, ${more}, valid_until::text AS "validUntil", created_at AS "createdAt", updated_at AS "updatedAt",
         ${last} AS ${Prisma.raw(name)}`;

const ofJobs = (today: Day): Prisma.Sql => Prisma.sql`
  SELECT company_id, environment, id, title, category_id, district_id, valid_until, created_at, updated_at, ${shownStatus(today)} AS status
    FROM jobs`;

/** Whether a search without a text and time and in this order reads an index, and so all jobs. */
export const isWhole = ({ text, since, until, sort }: JobSearch): boolean =>
  sort === 'newest' && text === undefined && since === undefined && until === undefined;

/** Names of what a company's job refers to. */
const named = Prisma.sql`(SELECT name FROM categories WHERE categories.id = category_id) AS category,
                         (SELECT name FROM districts WHERE districts.id = district_id) AS district`;

/**
 * Searches the latest `jobsMax` jobs of one company and environment, or all if an index allows it. The job with the searched id comes
 * first.
 */
export function searchJobs(db: Db, tenant: Tenant, search: JobSearch, range: Range): Promise<ListedJob[]> {
  if (!isWhole(search)) return db.$queryRaw<ListedJob[]>(searchIn(tenant, search, range, 'title', named));
  const ids = idsOf(tenant, search.status, range.today);
  return db.$queryRaw<ListedJob[]>`
    ${found(named, Prisma.sql`(SELECT count(*)::int FROM (${ids}) AS listed)`)}
      FROM (${ofJobs(range.today)} WHERE ${onPage(tenant, ids, range)}) AS page ORDER BY page.id DESC`;
}

/** Reads the latest `rowsMax` jobs before an id, each with whether the search finds it: for all of them, whatever they are. */
export const readJobs = (
  db: Db,
  tenant: Tenant,
  search: Omit<JobSearch, 'sort'>,
  { before, rowsMax, today }: { readonly before: bigint | undefined; readonly rowsMax: number; readonly today: Day },
): Promise<(ListedJob & { readonly matches: boolean })[]> =>
  db.$queryRaw`
    ${found(named, matching(search, 'title'), 'matches')}
      FROM (${ofJobs(today)} WHERE ${owned(tenant)} AND ${when(before, (id) => Prisma.sql`jobs.id < ${id}::bigint`)}
             ORDER BY jobs.id DESC LIMIT ${rowsMax}::int) AS page ORDER BY id DESC`;

/** The same across companies. Reads the whole table: an index for an administrator's question would cost every create. */
export function searchAllJobs(db: Db, scope: PartialTenant, search: JobSearch, range: Range): Promise<FoundAnywhere[]> {
  const named = Prisma.sql`JOIN (SELECT id AS company_id, name AS company_name FROM companies) AS named USING (company_id)`;
  const more = Prisma.sql`environment, company_id AS "companyId", company_name AS "companyName"`;
  const searched = search.byCompany === false ? 'title' : "concat(title, ' ', company_name)";
  return db.$queryRaw<FoundAnywhere[]>(searchIn(scope, search, range, searched, more, named));
}

function searchIn(
  scope: PartialTenant,
  search: JobSearch,
  range: Range,
  searched: string,
  more: Prisma.Sql,
  join = Prisma.empty,
): Prisma.Sql {
  const { text, sort } = search;
  const id = text === undefined ? undefined : searchedId(text);
  const jobs = Prisma.sql`${ofJobs(range.today)} WHERE ${within(scope)}`;
  const ofId = id === undefined ? Prisma.empty : Prisma.sql`UNION (${jobs} AND jobs.id = ${id}::bigint LIMIT 2)`;
  return Prisma.sql`
    ${found(more, Prisma.sql`count(*) OVER ()::int`)}
      FROM ((${jobs} ORDER BY jobs.id DESC LIMIT ${range.jobsMax}::int) ${ofId}) AS latest ${join}
     WHERE ${matching(search, searched)} ORDER BY ${idFirst('id', text)} ${orders[sort]} ${pageOf(range)}`;
}

const matching = ({ text, status, since, until }: Omit<JobSearch, 'sort'>, searched: string): Prisma.Sql => Prisma.sql`
  ${when(status, (name) => Prisma.sql`status = ${name}::job_status`)}
  AND ${when(since, (begin) => Prisma.sql`created_at >= ${begin}::timestamptz`)}
  AND ${when(until, (end) => Prisma.sql`created_at < ${end}::timestamptz`)}
  AND ${when(text, (words) => Prisma.sql`(${contains(searched, words)} OR id = ${searchedId(words) ?? null}::bigint)`)}`;

/** Whether there are more than `jobsMax` jobs; a search leaves the rest out. */
export async function hasMoreJobs(db: Db, scope: PartialTenant, jobsMax: number): Promise<boolean> {
  const rows = await db.$queryRaw<
    object[]
  >`SELECT true AS more FROM jobs WHERE ${within(scope)} LIMIT 1 OFFSET ${jobsMax}::int`;
  return rows.length > 0;
}

interface PendingJob extends Omit<ListedJob, 'id' | 'status'> {
  readonly companyId: bigint;
  readonly companyName: string;
  readonly jobId: bigint;
}

export interface QueueOrder {
  readonly sort: 'oldest' | 'newest';
  /** Only jobs after the one with this time (UTC) and id. */
  readonly after?: { readonly createdAt: string; readonly id: bigint };
}

/** The condition matches the index jobs_review_queue_idx. */
const waiting = ({ sort, after }: QueueOrder): Prisma.Sql =>
  Prisma.sql`status = 'pending' AND environment = 'production' ${
    after === undefined
      ? Prisma.empty
      : Prisma.sql`AND (created_at, id) ${Prisma.raw(sort === 'oldest' ? '>' : '<')} (${`${after.createdAt}Z`}::timestamptz, ${after.id}::bigint)`
  }`;

/** Counts pending production jobs and returns when the oldest was created. */
export async function countPendingJobs(
  tx: Tx,
  order: QueueOrder = { sort: 'oldest' },
): Promise<{ jobs: number; oldest: Date | null }> {
  const rows = await tx.$queryRaw<{ jobs: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS jobs, min(created_at) AS oldest FROM jobs WHERE ${waiting(order)}`;
  return rows[0] ?? { jobs: 0, oldest: null };
}

export interface QueueSearch extends QueueOrder {
  /** Words of a title or of a company's name, ignoring case and accents. */
  readonly text?: string | undefined;
}

/** Lists pending production jobs of all companies. A text is searched in the first `jobsMax` of that order. Only a search has a `total`. */
export function searchPendingJobs(
  tx: Tx,
  { text, ...order }: QueueSearch,
  { jobsMax, ...page }: Omit<Range, 'today'>,
): Promise<PendingJob[]> {
  const direction = Prisma.raw(order.sort === 'oldest' ? 'ASC' : 'DESC');
  const shown = pageOf(page);
  const [read, matching] =
    text === undefined
      ? [shown, Prisma.empty]
      : [Prisma.sql`LIMIT ${jobsMax}::int`, Prisma.sql`WHERE ${contains("concat(j.title, ' ', c.name)", text)}`];
  return tx.$queryRaw`
    SELECT j.company_id AS "companyId", c.name AS "companyName", j.id AS "jobId", j.title, k.name AS category,
           d.name AS district, j.valid_until::text AS "validUntil", j.created_at AS "createdAt", j.updated_at AS "updatedAt",
           count(*) OVER ()::int AS total
      FROM (SELECT company_id, id, title, category_id, district_id, valid_until, created_at, updated_at
              FROM jobs WHERE ${waiting(order)}
             ORDER BY created_at ${direction}, id ${direction} ${read}) AS j
      JOIN companies c ON c.id = j.company_id
      LEFT JOIN categories k ON k.id = j.category_id
      LEFT JOIN districts d ON d.id = j.district_id
     ${matching} ORDER BY j.created_at ${direction}, j.id ${direction} ${text === undefined ? Prisma.empty : shown}`;
}
