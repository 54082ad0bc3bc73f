import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import { dayToDate, type RequestTime } from '../../domain/dates.ts';
import { addressesMeant } from '../../domain/person-address.ts';
import { waitsForReview } from '../job-status-sql.ts';
import { contains, idFirst, type Page, pageOf, searchedId, sharedTrigrams, when } from '../kit/clauses-sql.ts';
import { type Counted, inOrder } from '../kit/paging.ts';
import { type Letters, rowCosts, rowsToSearch } from '../kit/searched-rows.ts';

/** `waiting`: asked for production, and no administrator has decided. `closed`: neither approved nor waiting nor suspended. */
type CompanyState = 'waiting' | 'approved' | 'suspended' | 'unverified' | 'closed';

export interface CompanyFilter {
  /** Words of the name (ignoring case and accents), an id, or the e-mail address of one of the company's people. */
  readonly text?: string | undefined;
  readonly state?: CompanyState | undefined;
  /** The id of the current plan, `none` for no current plan, or `complimentary` for a current grant. */
  readonly plan?: number | 'none' | 'complimentary' | undefined;
}

export interface CompanyRow {
  readonly id: bigint;
  readonly name: string;
  readonly verified: boolean;
  readonly suspended: boolean;
  readonly approved: boolean;
  readonly waiting: boolean;
  /** When the company asked for production. Null if it did not ask, or an administrator has decided. */
  readonly requestedAt: Date | null;
  /** The current plan. */
  readonly plan: string | null;
  /** Whether a complimentary grant is current. */
  readonly complimentary: boolean;
  /** Production jobs pending review. */
  readonly pendingJobs: number;
  readonly createdAt: Date;
  /** The number of companies found, repeated in every row. */
  readonly total: number;
}

const orders = {
  newest: Prisma.sql`id DESC`,
  oldest: Prisma.sql`id`,
  name: Prisma.sql`name_key, id`,
};

export type CompanySort = keyof typeof orders;

/**
 * Lists companies, with the plans and grants that are current at `time`. Companies up to `unread`, if given, are found only by an id or an
 * e-mail address. Finds the ids of a page first, because PostgreSQL would write 50,000 long rows to files to count and sort them.
 */
export async function searchCompanies(
  tx: Tx,
  filter: CompanyFilter,
  { sort, unread, ...page }: Page & { readonly sort: CompanySort; readonly unread?: bigint | undefined },
  time: RequestTime,
): Promise<CompanyRow[]> {
  const nameKey = Prisma.sql`left(c.name_folded, 40) COLLATE "C" AS name_key`;
  const keys = await tx.$queryRaw<(Counted & { id: bigint })[]>`
    SELECT id, count(*) OVER ()::int AS total
      FROM (SELECT c.id, ${sort === 'name' ? nameKey : Prisma.sql`true`} ${inForce(time)} WHERE ${matching(filter, unread)} OFFSET 0) AS found
     ORDER BY ${idFirst('id', filter.text)} ${orders[sort]} ${pageOf(page)}`;
  const rows = await tx.$queryRaw<Omit<CompanyRow, 'total'>[]>`
    SELECT c.id, c.name, c.verified, c.suspended_at IS NOT NULL AS suspended,
           c.production_approved_at IS NOT NULL AS approved, p.name AS plan,
           ${states.waiting} AS waiting, c.production_requested_at AS "requestedAt",
           g.company_id IS NOT NULL AS complimentary, c.created_at AS "createdAt",
           (SELECT count(*)::int FROM jobs j WHERE j.company_id = c.id AND ${waitsForReview}) AS "pendingJobs"
      ${inForce(time)} WHERE c.id = ANY (${keys.map(({ id }) => id)}::bigint[])`;
  return inOrder(keys, rows);
}

/** Finds how many of the latest companies a search for a name may read. */
export const companiesToSearch = (tx: Tx, text: string | undefined) =>
  rowsToSearch(text, rowCosts.alone, async ({ limit, offset }) => {
    const [read] = await tx.$queryRaw<Letters[]>`
      SELECT count(*)::int AS rows, coalesce(sum(octet_length(name_folded)), 0)::float8 AS letters
        FROM (SELECT name_folded FROM companies ORDER BY id DESC LIMIT ${limit}::int OFFSET ${offset}::int) AS read`;
    return read ?? { rows: 0, letters: 0 };
  });

/** Finds the newest company that is too old to be among the latest `companiesMax`. */
export async function findUnreadCompany(tx: Tx, companiesMax: number): Promise<bigint | undefined> {
  const [company] = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM companies ORDER BY id DESC LIMIT 1 OFFSET ${companiesMax}::int`;
  return company?.id;
}

export interface NearCompany {
  readonly id: bigint;
  readonly name: string;
}

/** How many of the latest companies are compared. */
const comparedMax = 20_000;

/**
 * Finds up to five companies whose names share the most trigrams with a misspelt name. Each shares at least two of the misspelt name's
 * trigrams, and at least 40% of them.
 */
export const nearestCompanies = (tx: Tx, text: string): Promise<NearCompany[]> => {
  const { shared, trigrams, begun } = sharedTrigrams('name_folded', text);
  return tx.$queryRaw`
    SELECT id, name
      FROM (SELECT id, name, ${shared} AS shared
              FROM (SELECT id, name, ${begun} AS name_folded FROM companies ORDER BY id DESC LIMIT ${comparedMax}::int) AS latest) AS compared
     WHERE shared >= ${Math.max(trigrams * 0.4, 2)}::float8
     ORDER BY shared DESC, length(name), id LIMIT 5`;
};

/** Counts the companies that wait for approval. */
export async function countWaitingCompanies(tx: Tx): Promise<{ readonly total: number; readonly oldest: Date | null }> {
  const rows = await tx.$queryRaw<{ total: number; oldest: Date | null }[]>`
    SELECT count(*)::int AS total, min(c.production_requested_at) AS oldest FROM companies c WHERE ${states.waiting}`;
  return rows[0] ?? { total: 0, oldest: null };
}

/** The rules of isSubscribed and isGranted in SQL. */
const inForce = ({ now, today }: RequestTime): Prisma.Sql => Prisma.sql`
  FROM companies c
  LEFT JOIN subscriptions s ON s.company_id = c.id AND (s.ends_at IS NULL OR s.ends_at > ${now}::timestamptz)
  LEFT JOIN plans p ON p.id = s.plan_id
  LEFT JOIN complimentary_grants g
    ON g.company_id = c.id AND (g.expires_on IS NULL OR g.expires_on >= ${dayToDate(today)}::date)`;

const states: Readonly<Record<CompanyState, Prisma.Sql>> = {
  waiting: Prisma.sql`(c.production_requested_at IS NOT NULL AND c.production_approved_at IS NULL AND c.suspended_at IS NULL)`,
  approved: Prisma.sql`c.production_approved_at IS NOT NULL AND c.suspended_at IS NULL`,
  suspended: Prisma.sql`c.suspended_at IS NOT NULL`,
  unverified: Prisma.sql`NOT c.verified`,
  closed: Prisma.sql`c.production_requested_at IS NULL AND c.production_approved_at IS NULL AND c.suspended_at IS NULL`,
};

const matching = ({ text, state, plan }: CompanyFilter, unread: bigint | undefined): Prisma.Sql => Prisma.sql`
  ${text === undefined ? after(unread) : called(text, unread)} AND ${when(state, (name) => states[name])} AND ${when(plan, onPlan)}`;

function onPlan(plan: number | 'none' | 'complimentary'): Prisma.Sql {
  if (plan === 'complimentary') return Prisma.sql`g.company_id IS NOT NULL`;
  return plan === 'none' ? Prisma.sql`p.id IS NULL` : Prisma.sql`p.id = ${plan}::int`;
}

const after = (unread: bigint | undefined) => when(unread, (id) => Prisma.sql`c.id > ${id}::bigint`);

/** Matches an id or an e-mail address of any company, and the names of companies after `unread`. */
function called(text: string, unread: bigint | undefined): Prisma.Sql {
  const ways = [Prisma.sql`(${after(unread)} AND ${contains('c.name_folded', text)})`];
  const id = searchedId(text);
  if (id !== undefined) ways.push(Prisma.sql`c.id = ${id}`);
  const emails = addressesMeant(text);
  if (emails.length > 0)
    ways.push(Prisma.sql`c.id IN (SELECT company_id FROM users WHERE email = ANY (${emails}::text[]))`);
  return Prisma.sql`(${Prisma.join(ways, ' OR ')})`;
}
