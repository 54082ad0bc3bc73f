import { Prisma } from '../../../generated/prisma/client.ts';
import type { ApiContext } from '../../context.ts';
import type { Db } from '../../database/open.ts';
import type { RequestTime } from '../../domain/dates.ts';
import type { Tenant } from '../../domain/environment.ts';
import { hasExpired, showing } from '../job-status-sql.ts';
import { owned } from '../kit/clauses-sql.ts';
import type { JobStatus, StoredJob } from './job.ts';
import { type ListedJobValues, listedJob, listedJobOf } from './job-columns-sql.ts';

/** The position of a job in the order of changes. */
export interface ChangePosition {
  readonly at: Date;
  readonly id: bigint;
}

interface Asked {
  readonly since: Date;
  /** The last job of the previous page, and the total counted for the first page. */
  readonly after: (ChangePosition & { readonly total: number }) | undefined;
  readonly perPage: number;
  /** The status that the jobs show today. */
  readonly status: JobStatus | undefined;
}

type ChangedJob = ListedJobValues & { readonly changedMs: number };

/**
 * Lists jobs changed at or after `since` and after the position `after`, ordered by the time of change, then by id. If there are more jobs,
 * `next` is the position of the page's last job. The first page counts all jobs changed since `since`; later pages repeat that total. Paging
 * and counting read only indexes.
 */
export async function listChanges(
  db: Db,
  tenant: Tenant,
  { since, after, perPage, status }: Asked,
  { wanted, ...time }: RequestTime & Pick<ApiContext, 'wanted'>,
): Promise<{ jobs: StoredJob[]; total: number; next: ChangePosition | undefined }> {
  const first = { at: since, id: 0n };
  const limit = perPage + 1;
  const counted = after
    ? Prisma.sql`SELECT ${after.total}::float8 AS total`
    : Prisma.sql`SELECT count(*)::float8 AS total FROM (${changesAfter(tenant, first, status, time)}) AS changed`;
  const found = await db.$queryRaw<({ total: number } & (ChangedJob | { job: null }))[]>`
    SELECT counted.total, page.*
      FROM (${counted}) AS counted
      LEFT JOIN (SELECT changed.id, (extract(epoch FROM changed.changed_at) * 1000)::float8 AS "changedMs", found.*
                   FROM (SELECT * FROM (${changesAfter(tenant, after ?? first, status, time, limit)}) AS either
                          ORDER BY changed_at, id LIMIT ${limit}::int) AS changed,
                        LATERAL (SELECT ${listedJob(wanted)} FROM jobs WHERE ${owned(tenant)} AND jobs.id = changed.id LIMIT 1) AS found
                ) AS page ON true
     ORDER BY page."changedMs", page.id`;
  const changed = found.flatMap((row) => (row.job ? [{ changedMs: row.changedMs, job: listedJobOf(row) }] : []));
  const page = changed.slice(0, perPage);
  const last = page.at(-1);
  const next = last && changed.length > perPage ? { at: new Date(last.changedMs), id: BigInt(last.job.id) } : undefined;
  return { jobs: page.map(({ job }) => job), total: found[0]?.total ?? 0, next };
}

/** The first instant of a date, as startOfDay() finds it. Of two midnights, an hour apart, PostgreSQL takes the second. */
function startOfDate(date: Prisma.Sql, timeZone: string): Prisma.Sql {
  const midnight = Prisma.sql`(${date}::timestamp AT TIME ZONE ${timeZone})`;
  const hourBefore = Prisma.sql`(${midnight} - interval '1 hour')`;
  return Prisma.sql`(CASE WHEN (${hourBefore} AT TIME ZONE ${timeZone})::date = ${date} THEN ${hourBefore} ELSE ${midnight} END)`;
}

/**
 * Selects the jobs whose last change comes after a position. That change is the job's updated_at, or its expiry if this is later: an active
 * job expires at the start of the day after its last day. Updates and expiries are each an ordered range of an index, and `limit` applies to
 * each.
 */
function changesAfter(
  tenant: Tenant,
  { at, id }: ChangePosition,
  status: JobStatus | undefined,
  { today, timeZone }: RequestTime,
  limit?: number,
): Prisma.Sql {
  const after = Prisma.sql`${at}::timestamptz`;
  const startOf = (date: Prisma.Sql) => startOfDate(date, timeZone);
  const expiry = startOf(Prisma.sql`(valid_until + 1)`);
  const expiredSince = Prisma.sql`${hasExpired(today)} AND updated_at < ${expiry}`;
  const first = (order: Prisma.Sql) =>
    limit === undefined ? Prisma.empty : Prisma.sql`ORDER BY ${order}, id LIMIT ${limit}::int`;
  const updated = Prisma.sql`
    (SELECT id, updated_at AS changed_at FROM jobs
      WHERE ${owned(tenant)} AND (updated_at, id) > (${after}, ${id}::bigint)
        AND (${expiredSince}) IS NOT TRUE AND (${Prisma.join(showing(status, today), ' OR ')}) ${first(Prisma.sql`updated_at`)})`;
  if (status !== undefined && status !== 'expired') return updated;
  // A job whose last day is the day before `at` expired when the day of `at` began. The job comes after the position only if that day
  // began exactly at `at` and the job's id is greater.
  const dayOfAt = Prisma.sql`(${after} AT TIME ZONE ${timeZone})::date`;
  const lastId = Prisma.sql`CASE WHEN ${startOf(dayOfAt)} = ${after} THEN ${id}::bigint ELSE ${Number.MAX_SAFE_INTEGER}::bigint END`;
  return Prisma.sql`${updated}
    UNION ALL
    (SELECT id, ${expiry} FROM jobs
      WHERE ${owned(tenant)} AND (valid_until, id) > (${dayOfAt} - 1, ${lastId})
        AND ${expiredSince} ${first(Prisma.sql`valid_until`)})`;
}
