import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import type { PartialTenant, Tenant } from '../../domain/environment.ts';
import { shownStatus, waitsForReview } from '../job-status-sql.ts';
import { contains, has, idFirst, owned, type Page, pageOf, piecesOf, searchedId, when } from '../kit/clauses-sql.ts';
import { type Counted, inOrder } from '../kit/paging.ts';
import { type Letters, rowCosts, rowsToSearch } from '../kit/searched-rows.ts';
import type { JobStatus } from './job.ts';
import { idsOf, onPage } from './jobs-sql.ts';

// No index includes titles. A search therefore reads a bounded number of jobs, which bounds its cost for a company of any size. It first
// finds only the keys of a page: PostgreSQL would write 50,000 long rows to files to count and sort them. PostgreSQL plans a subquery with
// OFFSET 0 by itself, so the rows that it counts have no texts, and the page's LIMIT does not tempt it to a plan for a few rows.

type JobSort = 'newest' | 'oldest' | 'changed' | 'title';

/** The ORDER BY of a sort. Production's jobs come first. For `newest`, the place of a job already puts them first. */
const orderOf = (sort: JobSort, scope: PartialTenant): Prisma.Sql =>
  ({
    newest: newestIn(scope).order,
    oldest: Prisma.sql`environment DESC, id`,
    changed: Prisma.sql`environment DESC, updated_at DESC, id DESC`,
    title: Prisma.sql`environment DESC, title_key, id`,
  })[sort];

/** The columns that an order needs besides the id, as short as possible: their names, and the SQL that selects them. */
const sortKeys: Readonly<Record<JobSort, readonly [names: Prisma.Sql, values: Prisma.Sql]>> = {
  newest: [Prisma.empty, Prisma.empty],
  oldest: [Prisma.empty, Prisma.empty],
  changed: [Prisma.sql`, updated_at`, Prisma.sql`, updated_at`],
  title: [Prisma.sql`, title_key`, Prisma.sql`, left(title_folded, 40) COLLATE "C" AS title_key`],
};

export interface JobSearch {
  /** Words of a title, or an id. Across companies, words of the company's name match too. Case and accents are ignored. */
  readonly text?: string | undefined;
  /** Whether words of the company's name match. Defaults to true. */
  readonly byCompany?: boolean;
  /** The status that the jobs show today: an active job whose last day has passed is expired. */
  readonly status?: JobStatus | undefined;
  /** Only jobs created at or after this time. */
  readonly since?: Date | undefined;
  /** Only jobs created before this time. */
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

interface FoundKey extends Tenant, Counted {
  readonly id: bigint;
}

export interface ListedJob extends FoundJob {
  readonly category: string | null;
  readonly district: string | null;
}

/** A job found across companies. */
interface FoundAnywhere extends FoundJob, Tenant {
  readonly companyName: string;
}

/** If `unread` is defined, only jobs before this place are searched; see newestIn. */
export type Range = Page & { readonly unread: bigint | undefined; readonly today: Day };

// Across companies, jobs are in the order of the index jobs_newest_idx: production's before the sandbox's, each newest first. The index has
// an expression, so that a plan made on empty tables never prefers it for a company's own jobs.

const sandboxPlaces = 4_611_686_018_427_387_904n;
const place = Prisma.sql`(CASE environment WHEN 'production' THEN -id ELSE ${Prisma.raw(String(sandboxPlaces))} - id END)`;

const places = { production: Prisma.sql`${place} < 0`, sandbox: Prisma.sql`${place} > 0` };

/** The condition for the jobs of a scope. All companies' jobs in one environment are one range of jobs_newest_idx. */
const within = ({ companyId, environment }: PartialTenant): Prisma.Sql => Prisma.sql`
  ${when(companyId, (id) => Prisma.sql`company_id = ${id}`)} AND ${when(environment, (name) => Prisma.sql`environment = ${name}::environment`)}
  AND ${companyId === undefined ? when(environment, (name) => places[name]) : Prisma.sql`true`}`;

/**
 * Returns three pieces of SQL for a list of a scope's jobs, newest first: the place of a job, the order by place, and the condition that a
 * job comes before a place. For one company's jobs in one environment, the places follow the primary key.
 */
const newestIn = ({ companyId, environment }: PartialTenant) =>
  companyId === undefined || environment === undefined
    ? { place, order: place, isBefore: (unread: bigint) => Prisma.sql`${place} < ${unread}::bigint` }
    : {
        place: Prisma.sql`(-id)`,
        order: Prisma.sql`id DESC`,
        isBefore: (unread: bigint) => Prisma.sql`id > ${-unread}::bigint`,
      };

/** The condition that a job has an id, in a form for which an index exists. */
const hasId = (id: bigint, { companyId }: PartialTenant): Prisma.Sql =>
  companyId === undefined
    ? Prisma.sql`${place} IN (${-id}::bigint, ${sandboxPlaces - id}::bigint)`
    : Prisma.sql`id = ${id}::bigint`;

/** Selects the columns of a FoundJob, and the columns in `more`. */
const found = (more: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT id::float8 AS id, title, status, valid_until::text AS "validUntil", created_at AS "createdAt", updated_at AS "updatedAt", ${more}`;

const ofJobs = (today: Day): Prisma.Sql => Prisma.sql`
  SELECT company_id, environment, id, title, title_folded, category_id, district_id, valid_until, created_at, updated_at,
         ${shownStatus(today)} AS status
    FROM jobs`;

/** Whether a search covers all jobs of a company. It does if it is newest first and has no text or time, because it then reads an index. */
export const isWhole = ({ text, since, until, sort }: JobSearch): boolean =>
  sort === 'newest' && text === undefined && since === undefined && until === undefined;

/** Selects the names of a job's category and district. */
const named = Prisma.sql`(SELECT name FROM categories WHERE categories.id = category_id) AS category,
                         (SELECT name FROM districts WHERE districts.id = district_id) AS district`;

/** Searches the jobs of one company and environment before `unread`, or all of them if isWhole. The job with the searched id comes first. */
export async function searchJobs(db: Db, tenant: Tenant, search: JobSearch, range: Range): Promise<ListedJob[]> {
  const ids = idsOf(tenant, search.status, range.today);
  const listed = (condition: Prisma.Sql, total: Prisma.Sql) =>
    db.$queryRaw<ListedJob[]>`
      ${found(Prisma.sql`${named}, ${total} AS total`)} FROM (${ofJobs(range.today)} WHERE ${condition}) AS page ORDER BY page.id DESC`;
  if (isWhole(search))
    return listed(onPage(tenant, ids, range), Prisma.sql`(SELECT count(*)::int FROM (${ids}) AS listed)`);
  const keys = await findKeys(db, tenant, search, range, false);
  return inOrder(keys, await listed(Prisma.sql`${owned(tenant)} AND ${amongIds(keys)}`, Prisma.sql`0`));
}

/** Reads the latest `rowsMax` jobs before an id, including those that do not match the search. `matches` says whether a job does. */
export const readJobs = (
  db: Db,
  tenant: Tenant,
  { text, ...filter }: Omit<JobSearch, 'sort' | 'byCompany'>,
  { before, rowsMax, today }: { readonly before: bigint | undefined; readonly rowsMax: number; readonly today: Day },
): Promise<(ListedJob & { readonly matches: boolean })[]> =>
  db.$queryRaw`
    ${found(Prisma.sql`${named}, ${matching(filter)} AND ${when(text, withWordsOrId)} AS matches`)}
      FROM (${ofJobs(today)} WHERE ${owned(tenant)} AND ${when(before, (id) => Prisma.sql`jobs.id < ${id}::bigint`)}
             ORDER BY jobs.id DESC LIMIT ${rowsMax}::int) AS page ORDER BY id DESC`;

/** Searches the jobs of a scope before `unread`. The job with the searched id comes first, then production's jobs. */
export async function searchAllJobs(
  db: Db,
  scope: PartialTenant,
  search: JobSearch,
  range: Range,
): Promise<FoundAnywhere[]> {
  const isByCompany = search.byCompany !== false;
  const keys = await findKeys(db, scope, search, range, isByCompany);
  const rows = await db.$queryRaw<FoundAnywhere[]>`
    ${found(Prisma.sql`environment, company_id AS "companyId", company_name AS "companyName"`)}
      FROM (${ofJobs(range.today)} WHERE ${ofCompanies(keys)} AND ${amongIds(keys)}) AS page
      JOIN (SELECT id AS company_id, name AS company_name FROM companies) AS named USING (company_id)`;
  return inOrder(keys, rows);
}

/** The ids are an array, so that the planner can only look the rows up by their keys. */
const amongIds = (keys: readonly FoundKey[]): Prisma.Sql =>
  Prisma.sql`jobs.id = ANY (${keys.map(({ id }) => id)}::bigint[])`;

const ofCompanies = (keys: readonly FoundKey[]): Prisma.Sql =>
  Prisma.sql`jobs.company_id = ANY (${[...new Set(keys.map(({ companyId }) => companyId))]}::bigint[])
             AND jobs.environment = ANY (${[...new Set(keys.map(({ environment }) => environment))]}::environment[])`;

/** Joins the companies' names by primary key, so that no plan compares each job with each company. */
const withNames = Prisma.sql`JOIN (SELECT id AS company_id, name_folded FROM companies) AS named USING (company_id)`;

/**
 * The condition that each piece of a text is in the job's title or in the company's name. For each piece, `inTitle`
 * selects a boolean column that is true if the title contains the piece. The join then needs no titles, which PostgreSQL would write to files.
 */
function inTitleOrName(text: string): { readonly inTitle: Prisma.Sql; readonly condition: Prisma.Sql } {
  const pieces = piecesOf(text).map((piece, at) => ({ piece, name: Prisma.raw(`in_title_${at}`) }));
  return {
    inTitle: Prisma.join([
      Prisma.empty,
      ...pieces.map(({ piece, name }) => Prisma.sql`${has('title_folded', piece)} AS ${name}`),
    ]),
    condition: Prisma.join(
      [Prisma.sql`true`, ...pieces.map(({ piece, name }) => Prisma.sql`(${name} OR ${has('name_folded', piece)})`)],
      ' AND ',
    ),
  };
}

/** Finds the keys of one page of the matching jobs: those before `unread`, and the one with the searched id. */
function findKeys(
  db: Db,
  scope: PartialTenant,
  search: JobSearch,
  range: Range,
  isByCompany: boolean,
): Promise<FoundKey[]> {
  const { text, sort, ...filter } = search;
  const id = text === undefined ? undefined : searchedId(text);
  const jobs = Prisma.sql`${ofJobs(range.today)} WHERE ${within(scope)}`;
  const [sortNames, sortValues] = sortKeys[sort];
  const keys = Prisma.sql`SELECT company_id, environment, id`;
  const latest = (columns: Prisma.Sql) => Prisma.sql`${keys}${sortValues}${columns}
        FROM (${jobs} AND ${when(range.unread, newestIn(scope).isBefore)}) AS latest
       WHERE ${matching(filter)} AND ${when(id, (one) => Prisma.sql`id <> ${one}::bigint`)}`;
  const withText = (words: string): Prisma.Sql => {
    if (!isByCompany) return Prisma.sql`${latest(Prisma.empty)} AND ${contains('title_folded', words)}`;
    const { inTitle, condition } = inTitleOrName(words);
    return Prisma.sql`${keys}${sortNames} FROM (${latest(inTitle)} OFFSET 0) AS searched ${withNames} WHERE ${condition}`;
  };
  const byId =
    id === undefined
      ? Prisma.empty
      : Prisma.sql`UNION ALL (${keys}${sortValues} FROM (${jobs} AND ${hasId(id, scope)} LIMIT 2) AS known WHERE ${matching(filter)})`;
  return db.$queryRaw<FoundKey[]>`
    SELECT company_id AS "companyId", environment, id, count(*) OVER ()::int AS total
      FROM (${text === undefined ? latest(Prisma.empty) : withText(text)} ${byId} OFFSET 0) AS found
     ORDER BY ${idFirst('id', text)} ${orderOf(sort, scope)} ${pageOf(range)}`;
}

const matching = ({ status, since, until }: Pick<JobSearch, 'status' | 'since' | 'until'>): Prisma.Sql => Prisma.sql`
  ${when(status, (name) => Prisma.sql`status = ${name}::job_status`)}
  AND ${when(since, (begin) => Prisma.sql`created_at >= ${begin}::timestamptz`)}
  AND ${when(until, (end) => Prisma.sql`created_at < ${end}::timestamptz`)}`;

const withWordsOrId = (text: string): Prisma.Sql =>
  Prisma.sql`(${contains('title_folded', text)} OR id = ${searchedId(text) ?? null}::bigint)`;

/** Finds the companies and environments that have a job with this id. Returns at most two; there are two only if companies share ids. */
export const findJobOwners = (db: Db, id: bigint, scope: PartialTenant): Promise<Tenant[]> =>
  db.$queryRaw`
    SELECT company_id AS "companyId", environment FROM jobs WHERE ${within(scope)} AND ${hasId(id, scope)} LIMIT 2`;

/** The columns of jobs that `lettersIn` needs. */
const ofLetters = Prisma.sql`company_id, octet_length(title_folded) AS letters`;

/** Counts jobs and the letters of their titles, and of their companies' names if `isByCompany`. */
async function lettersIn(tx: Tx, jobs: Prisma.Sql, isByCompany: boolean): Promise<Letters> {
  const named = Prisma.sql`SELECT letters + octet_length(name_folded) AS letters FROM (${jobs}) AS titles ${withNames}`;
  const [read] = await tx.$queryRaw<Letters[]>`
    SELECT count(*)::int AS rows, coalesce(sum(letters), 0)::float8 AS letters FROM (${isByCompany ? named : jobs}) AS read`;
  return read ?? { rows: 0, letters: 0 };
}

/** Finds how many of a scope's newest jobs a search may read. */
export const jobsToSearch = (db: Db, scope: PartialTenant, { text, byCompany = true }: Omit<JobSearch, 'sort'>) =>
  rowsToSearch(text, byCompany ? rowCosts.joined : rowCosts.alone, ({ limit, offset }) =>
    lettersIn(
      db,
      Prisma.sql`SELECT ${ofLetters} FROM jobs WHERE ${within(scope)} ORDER BY ${newestIn(scope).order} LIMIT ${limit}::int OFFSET ${offset}::int`,
      byCompany,
    ),
  );

/** The place of the first job that a search leaves out: the one after `jobsMax` jobs. Undefined if there are no more jobs. */
export async function findUnread(db: Db, scope: PartialTenant, jobsMax: number): Promise<bigint | undefined> {
  const { place, order } = newestIn(scope);
  const [row] = await db.$queryRaw<{ place: bigint }[]>`
    SELECT ${place} AS place FROM jobs WHERE ${within(scope)} ORDER BY ${order} LIMIT 1 OFFSET ${jobsMax}::int`;
  return row?.place;
}

interface PendingJob extends Omit<ListedJob, 'id' | 'status'> {
  readonly companyId: bigint;
  readonly companyName: string;
  /** Whether the company is approved for production now, and whether and why it is suspended. */
  readonly approved: boolean;
  readonly suspended: boolean;
  readonly suspensionReason: string | null;
  readonly jobId: bigint;
}

export interface QueueOrder {
  readonly sort: 'oldest' | 'newest';
  /** Only jobs after the one with this time (UTC) and id. */
  readonly after?: { readonly createdAt: string; readonly id: bigint };
  /** Only jobs created at or after `since`, and before `until`. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** Leaves out the jobs with these ids. */
  readonly without?: readonly bigint[];
}

/** The condition for jobs in the queue. */
const waiting = ({ sort, after, since, until, without }: QueueOrder): Prisma.Sql =>
  Prisma.sql`${waitsForReview}
             AND ${when(since, (from) => Prisma.sql`created_at >= ${from}::timestamptz`)}
             AND ${when(until, (end) => Prisma.sql`created_at < ${end}::timestamptz`)}
             AND ${when(without, (ids) => Prisma.sql`id <> ALL (${ids}::bigint[])`)}
             AND ${when(after, (job) => comesAfter({ sort }, job))}`;

const comesAfter = ({ sort }: QueueOrder, { createdAt, id }: NonNullable<QueueOrder['after']>): Prisma.Sql =>
  Prisma.sql`(created_at, id) ${Prisma.raw(sort === 'oldest' ? '>' : '<')} (${`${createdAt}Z`}::timestamptz, ${id}::bigint)`;

/** Counts pending production jobs. Also returns when the oldest of them was created. */
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

const directionOf = ({ sort }: QueueOrder) => Prisma.raw(sort === 'oldest' ? 'ASC' : 'DESC');

const firstWaiting = (
  order: QueueOrder,
  columns: Prisma.Sql,
  limit: number | bigint,
  offset = 0,
): Prisma.Sql => Prisma.sql`
  SELECT ${columns} FROM jobs WHERE ${waiting(order)}
   ORDER BY created_at ${directionOf(order)}, id ${directionOf(order)} LIMIT ${limit}::bigint OFFSET ${offset}::bigint`;

/** Finds how many of the first jobs in the queue a search may read. */
export const queueToSearch = (tx: Tx, { text, ...order }: QueueSearch) =>
  rowsToSearch(text, rowCosts.joined, ({ limit, offset }) =>
    lettersIn(tx, firstWaiting(order, ofLetters, limit, offset), true),
  );

/** Selects the keys of the jobs that match a text, among the first `jobsMax` of the queue. */
function waitingWith(order: QueueOrder, text: string, jobsMax: number): Prisma.Sql {
  const { inTitle, condition } = inTitleOrName(text);
  const first = firstWaiting(order, Prisma.sql`company_id, id, created_at${inTitle}`, jobsMax);
  return Prisma.sql`SELECT company_id, id, created_at FROM (${first}) AS first ${withNames} WHERE ${condition} OFFSET 0`;
}

/**
 * Lists pending production jobs of all companies; those with the ids in `last` come last. A text is searched only in the first `jobsMax` of
 * the queue. Without a text, `total` is 0.
 */
export async function searchPendingJobs(
  tx: Tx,
  { text, ...order }: QueueSearch,
  { jobsMax, last = [], ...page }: Page & { readonly jobsMax: number; readonly last?: readonly bigint[] },
): Promise<PendingJob[]> {
  const direction = directionOf(order);
  const inOrderOf = (jobs: string) =>
    Prisma.sql`ORDER BY ${Prisma.raw(jobs)}id = ANY (${last}::bigint[]), ${Prisma.raw(jobs)}created_at ${direction}, ${Prisma.raw(jobs)}id ${direction}`;
  const findWaiting = (words: string) =>
    tx.$queryRaw<FoundKey[]>`
      SELECT company_id AS "companyId", 'production' AS environment, id, count(*) OVER ()::int AS total
        FROM (${waitingWith(order, words, jobsMax)}) AS found
       ${inOrderOf('')} ${pageOf(page)}`;
  const keys = text === undefined ? undefined : await findWaiting(text);
  const columns = Prisma.sql`company_id, id, title, category_id, district_id, valid_until, created_at, updated_at`;
  // Enough jobs for the page, even if all jobs in `last` are among them and move to the end.
  const upTo = BigInt(page.page) * BigInt(page.perPage) + BigInt(last.length);
  const found = keys
    ? Prisma.sql`jobs WHERE ${ofCompanies(keys)} AND ${amongIds(keys)}`
    : Prisma.sql`(${firstWaiting(order, columns, upTo)}) AS jobs ${inOrderOf('')} ${pageOf(page)}`;
  return tx.$queryRaw<PendingJob[]>`
    SELECT j.company_id AS "companyId", c.name AS "companyName", c.production_approved_at IS NOT NULL AS approved,
           c.suspended_at IS NOT NULL AS suspended, c.suspension_reason AS "suspensionReason",
           j.id AS "jobId", j.title, k.name AS category, d.name AS district, j.valid_until::text AS "validUntil", j.created_at AS "createdAt", j.updated_at AS "updatedAt",
           ${keys?.[0]?.total ?? 0}::int AS total
      FROM (SELECT ${columns} FROM ${found}) AS j
      JOIN companies c ON c.id = j.company_id
      LEFT JOIN categories k ON k.id = j.category_id
      LEFT JOIN districts d ON d.id = j.district_id
     ${inOrderOf('j.')}`;
}

interface NextJob {
  /** `total` jobs match the text, and `waiting` of these jobs come after the given job. */
  readonly total: number;
  readonly waiting: number;
  /** The first matching job after the given one. */
  readonly next: { readonly companyId: bigint; readonly jobId: bigint } | undefined;
}

/** Among the first `jobsMax` jobs of the queue, finds the first job that matches a text and comes after the job `after`. */
export async function findNextJob(
  tx: Tx,
  { text, ...order }: QueueSearch & { readonly text: string },
  after: NonNullable<QueueOrder['after']>,
  jobsMax: number,
): Promise<NextJob> {
  const direction = directionOf(order);
  const isAfter = comesAfter(order, after);
  const [found] = await tx.$queryRaw<(Omit<NextJob, 'next'> & { companyId: bigint | null; jobId: bigint | null })[]>`
    WITH found AS MATERIALIZED (${waitingWith(order, text, jobsMax)})
    SELECT counted.total, counted.waiting, next.company_id AS "companyId", next.id AS "jobId"
      FROM (SELECT count(*)::int AS total, (count(*) FILTER (WHERE ${isAfter}))::int AS waiting FROM found) AS counted
      LEFT JOIN (SELECT company_id, id FROM found WHERE ${isAfter}
                  ORDER BY created_at ${direction}, id ${direction} LIMIT 1) AS next ON true`;
  const { total = 0, waiting = 0, companyId, jobId } = found ?? {};
  return { total, waiting, next: companyId && jobId ? { companyId, jobId } : undefined };
}
