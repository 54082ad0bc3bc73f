import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import { type Day, dayToDate } from '../domain/dates.ts';
import type { Tenant } from '../domain/environment.ts';
import type { StoredJob } from '../domain/job.ts';
import type { JobStatus } from '../domain/status.ts';
import { storedJob } from './job-columns.ts';
import { owned } from './jobs.ts';

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Newest first; `status` as a reader sees it on `today`.
 * Pages are counted off and the total is counted on an index alone; only the rows of the page itself are read from the table.
 */
export async function listJobs(
  db: Db,
  tenant: Tenant,
  { page, perPage }: Page,
  status: JobStatus | undefined,
  today: Day,
): Promise<{ jobs: StoredJob[]; total: number }> {
  const ids = idsSeenAs(tenant, status, today);
  // An array, so that no estimate makes the planner join: it can but look the rows up by their key.
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
 * The SQL twin of statusOn: a stored `active` whose last day has passed is expired. Expired jobs are two stretches of the index, each
 * by itself in the order of the list; an OR would be in none.
 */
function idsSeenAs(tenant: Tenant, status: JobStatus | undefined, today: Day): Prisma.Sql {
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
