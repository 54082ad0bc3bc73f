import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import { dayToDate, type RequestTime } from '../../domain/dates.ts';
import type { Page } from '../jobs/jobs-sql.ts';
import { contains, idFirst, idOf } from '../text-search-sql.ts';

/** `waiting`: a plan or grant includes production, and only the approval is missing. */
type CompanyState = 'waiting' | 'approved' | 'suspended' | 'unverified';

export interface CompanyFilter {
  /** Words of a name, ignoring case and accents; an id; or the e-mail address of one of its people. */
  readonly text?: string | undefined;
  readonly state?: CompanyState | undefined;
  /** The id of the current plan, `none`, or `complimentary` for a current grant. */
  readonly plan?: number | 'none' | 'complimentary' | undefined;
}

export interface CompanyRow {
  readonly id: bigint;
  readonly name: string;
  readonly verified: boolean;
  readonly suspended: boolean;
  readonly approved: boolean;
  readonly waiting: boolean;
  /** The current plan. */
  readonly plan: string | null;
  /** Whether a complimentary grant is current. */
  readonly complimentary: boolean;
  /** Production jobs pending review. */
  readonly pendingJobs: number;
  readonly createdAt: Date;
}

const orders = {
  newest: Prisma.sql`c.id DESC`,
  oldest: Prisma.sql`c.id`,
  name: Prisma.sql`lower(c.name), c.id`,
};

export type CompanySort = keyof typeof orders;

/** Lists companies, with the plans and grants that are current at `time`. */
export async function searchCompanies(
  tx: Tx,
  filter: CompanyFilter,
  { page, perPage, sort }: Page & { readonly sort: CompanySort },
  time: RequestTime,
): Promise<{ companies: CompanyRow[]; total: number }> {
  const found = Prisma.sql`${inForce(time)} WHERE ${matching(filter)}`;
  const companies = await tx.$queryRaw<CompanyRow[]>`
    SELECT c.id, c.name, c.verified, c.suspended_at IS NOT NULL AS suspended,
           c.production_approved_at IS NOT NULL AS approved, p.name AS plan,
           coalesce(${states.waiting}, false) AS waiting,
           g.company_id IS NOT NULL AS complimentary, c.created_at AS "createdAt",
           (SELECT count(*)::int FROM jobs j WHERE j.company_id = c.id AND j.environment = 'production'
                                               AND j.status = 'pending') AS "pendingJobs"
      ${found} ORDER BY ${idFirst('c.id', filter.text)} ${orders[sort]} LIMIT ${perPage}::int OFFSET ${BigInt(page - 1) * BigInt(perPage)}::bigint`;
  const [counted] = await tx.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total ${found}`;
  return { companies, total: counted?.total ?? 0 };
}

/** Counts the companies that wait for approval. */
export async function countWaitingCompanies(tx: Tx, time: RequestTime): Promise<number> {
  const rows = await tx.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total ${inForce(time)} WHERE ${states.waiting}`;
  return rows[0]?.total ?? 0;
}

const inForce = ({ now, today }: RequestTime): Prisma.Sql => Prisma.sql`
  FROM companies c
  LEFT JOIN subscriptions s ON s.company_id = c.id AND (s.ends_at IS NULL OR s.ends_at > ${now}::timestamptz)
  LEFT JOIN plans p ON p.id = s.plan_id
  LEFT JOIN complimentary_grants g
    ON g.company_id = c.id AND (g.expires_on IS NULL OR g.expires_on >= ${dayToDate(today)}::date)`;

const states: Readonly<Record<CompanyState, Prisma.Sql>> = {
  waiting: Prisma.sql`c.production_approved_at IS NULL AND c.suspended_at IS NULL
                      AND (p.api_eligible OR g.company_id IS NOT NULL)`,
  approved: Prisma.sql`c.production_approved_at IS NOT NULL AND c.suspended_at IS NULL`,
  suspended: Prisma.sql`c.suspended_at IS NOT NULL`,
  unverified: Prisma.sql`NOT c.verified`,
};

function matching({ text, state, plan }: CompanyFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (text !== undefined) conditions.push(called(text));
  if (state !== undefined) conditions.push(states[state]);
  if (plan === 'none') conditions.push(Prisma.sql`p.id IS NULL`);
  else if (plan === 'complimentary') conditions.push(Prisma.sql`g.company_id IS NOT NULL`);
  else if (plan !== undefined) conditions.push(Prisma.sql`p.id = ${plan}::int`);
  return Prisma.join(conditions, ' AND ');
}

function called(text: string): Prisma.Sql {
  const ways = [contains('c.name', text)];
  const id = idOf(text);
  if (id !== undefined) ways.push(Prisma.sql`c.id = ${id}`);
  if (text.includes('@'))
    ways.push(Prisma.sql`c.id = (SELECT company_id FROM users WHERE email = ${text.toLowerCase()})`);
  return Prisma.sql`(${Prisma.join(ways, ' OR ')})`;
}
