import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Day } from '../../domain/dates.ts';
import type { Tenant } from '../../domain/environment.ts';
import { waitsForReview } from '../job-status-sql.ts';
import { owned } from '../kit/clauses-sql.ts';

// `rowsMax` bounds the rows that a statement reads, so that a chart costs the same for a company of any size.

/** Counts the requests `r` by class of status. Status 499 means that the client got no answer. */
const byClass = Prisma.sql`
  (count(*) FILTER (WHERE r.status < 400))::int AS succeeded,
  (count(*) FILTER (WHERE r.status BETWEEN 400 AND 498))::int AS refused,
  (count(*) FILTER (WHERE r.status >= 499))::int AS failed`;

export interface DaySpan {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

export interface RequestCounts {
  /** The position of the day in the given `days`, from 0. */
  readonly index: number;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly slowMs: number;
}

/** Counts at most the latest `rowsMax` requests of each day by class of status, with the median and the 95th percentile of latency. */
export const countRequests = (
  db: Db,
  { companyId, environment }: Tenant,
  days: readonly DaySpan[],
  rowsMax: number,
): Promise<RequestCounts[]> =>
  db.$queryRaw<RequestCounts[]>`
    SELECT d.place::int - 1 AS index, ${byClass},
           percentile_disc(0.5) WITHIN GROUP (ORDER BY r.latency_ms)::int AS "medianMs",
           percentile_disc(0.95) WITHIN GROUP (ORDER BY r.latency_ms)::int AS "slowMs"
      FROM unnest(${days.map(({ start }) => start.toISOString())}::timestamptz[],
                  ${days.map(({ end }) => end.toISOString())}::timestamptz[]) WITH ORDINALITY AS d (starts, ends, place),
           LATERAL (SELECT status, latency_ms FROM request_log
                     WHERE company_id = ${companyId} AND environment = ${environment}::environment
                       AND at >= d.starts AND at < d.ends
                     ORDER BY at DESC LIMIT ${rowsMax}::int) AS r
     GROUP BY d.place ORDER BY d.place`;

export interface MinuteCount {
  /** The start of the minute. */
  readonly minute: Date;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
}

/** Counts the requests of every minute from `from` to `to`, both inclusive. Includes minutes without requests. */
export const countByMinute = (db: Db, tenant: Tenant, from: Date, to: Date): Promise<MinuteCount[]> =>
  db.$queryRaw<MinuteCount[]>`
    SELECT m.minute, ${byClass}
      FROM generate_series(date_trunc('minute', ${from}::timestamptz), ${to}::timestamptz, '1 minute') AS m (minute)
      LEFT JOIN request_log r ON ${owned(tenant)} AND r.at >= m.minute AND r.at < m.minute + interval '1 minute'
     GROUP BY m.minute ORDER BY m.minute`;

export interface PostedJobs {
  readonly day: Day;
  readonly jobs: number;
}

/** Counts the jobs created since a time, by day in `timeZone`. Reads only the latest `rowsMax` jobs. */
export const countPostings = (
  db: Db,
  { companyId, environment }: Tenant,
  since: Date,
  timeZone: string,
  rowsMax: number,
): Promise<PostedJobs[]> =>
  db.$queryRaw<PostedJobs[]>`
    SELECT (created_at AT TIME ZONE ${timeZone}::text)::date::text AS day, count(*)::int AS jobs
      FROM (SELECT created_at FROM jobs WHERE company_id = ${companyId} AND environment = ${environment}::environment
             ORDER BY id DESC LIMIT ${rowsMax}::int) AS latest
     WHERE created_at >= ${since}::timestamptz
     GROUP BY 1 ORDER BY 1`;

interface WaitingJobs {
  readonly byAge: readonly number[];
  /** When the oldest pending job was created. */
  readonly oldest: Date | null;
}

/** Counts pending production jobs of all companies by age, youngest first. `times` separate the four ages, latest time first. */
export async function countWaitingJobs(db: Db, times: readonly [Date, Date, Date]): Promise<WaitingJobs> {
  const [day, days, week] = times;
  const [row] = await db.$queryRaw<WaitingJobs[]>`
    SELECT ARRAY[count(*) FILTER (WHERE created_at >= ${day}::timestamptz),
                 count(*) FILTER (WHERE created_at < ${day}::timestamptz AND created_at >= ${days}::timestamptz),
                 count(*) FILTER (WHERE created_at < ${days}::timestamptz AND created_at >= ${week}::timestamptz),
                 count(*) FILTER (WHERE created_at < ${week}::timestamptz)]::int[] AS "byAge",
           min(created_at) AS oldest
      FROM jobs WHERE ${waitsForReview}`;
  return row ?? { byAge: [], oldest: null };
}

/**
 * Counts the latest `rowsMax` refused requests of all companies since a time, by reason, and returns the `reasonsMax` most frequent. The
 * condition matches the index request_log_refused_idx.
 */
export const countRefusals = (db: Db, since: Date, rowsMax: number, reasonsMax: number) =>
  db.$queryRaw<{ reason: string; requests: number }[]>`
    SELECT reason, count(*)::int AS requests
      FROM (SELECT reason FROM request_log WHERE reason IS NOT NULL AND at >= ${since}::timestamptz
             ORDER BY at DESC LIMIT ${rowsMax}::int) AS latest
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${reasonsMax}::int`;

/** Counts the denials among the latest `rowsMax` audit entries, by reason, and returns the `reasonsMax` most frequent. */
export const countDenials = (db: Db, rowsMax: number, reasonsMax: number) =>
  db.$queryRaw<{ reason: string; jobs: number }[]>`
    SELECT details ->> 'reason' AS reason, count(*)::int AS jobs
      FROM (SELECT action, details FROM audit_entries ORDER BY id DESC LIMIT ${rowsMax}::int) AS latest
     WHERE action = 'job.denied' AND details ->> 'reason' IS NOT NULL
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${reasonsMax}::int`;
