import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import { dayMs } from '../domain/dates.ts';
import { type LoggedRequest, requestLogDays } from './logged-request.ts';

/** Inserts all rows with one statement, which has one parameter: the rows as JSON. */
export async function insertRequests(db: Db, entries: readonly LoggedRequest[]): Promise<void> {
  const rows = JSON.stringify(entries, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  await db.$executeRaw`
    INSERT INTO request_log (company_id, environment, at, request_id, protocol, operation, status, credential_id, latency_ms,
                             traceparent, reason, fields, job_id, message)
    SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS row (
             "companyId" bigint, environment environment, at timestamptz, "requestId" text, protocol protocol,
             operation text, status int, "credentialId" bigint, "latencyMs" int, traceparent text, reason text, fields text[],
             "resourceId" bigint, message text)`;
}

const purgedAtOnce = 1000;

/** Deletes the requests that the log no longer keeps, except rows that another process is deleting. */
export async function purgeRequests(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - requestLogDays * dayMs);
  while ((await purgeSome(db, before)) >= purgedAtOnce);
}

/**
 * Deletes at most `purgedAtOnce` rows from before a time in each statement. Returns the number of deleted rows; if it is less, no such rows
 * are left. Each statement names companies, because every index begins with the company. The subquery is in ARRAY, which PostgreSQL runs
 * once; with IN, PostgreSQL may run the subquery for each row.
 */
async function purgeSome(db: Db, before: Date): Promise<number> {
  const companies = await companiesWithRequests(db, before, purgedAtOnce);
  const limit = Prisma.raw(String(purgedAtOnce));
  let deleted = 0;
  for (let first = 0; first < companies.length && deleted < purgedAtOnce; first += db.batchMax) {
    const ids = companies.slice(first, first + db.batchMax);
    const old = Prisma.sql`company_id = ANY (${ids}::bigint[]) AND environment = ANY (enum_range(NULL::environment))`;
    deleted += await db.$executeRaw`
      DELETE FROM request_log
       WHERE ${old} AND id = ANY (ARRAY(
               SELECT id FROM request_log WHERE ${old} AND at < ${before}::timestamptz LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
  }
  return deleted;
}

/**
 * Lists at most `max` companies that have requests before a time. The LIMIT is a literal: with a parameter, PostgreSQL scans the
 * whole table.
 */
async function companiesWithRequests(db: Db, before: Date, max: number): Promise<bigint[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT c.id
      FROM companies c,
           LATERAL (SELECT 1 AS one FROM request_log
                     WHERE company_id = c.id AND environment = ANY (enum_range(NULL::environment)) AND at < ${before}::timestamptz
                     LIMIT 1) AS old
     LIMIT ${Prisma.raw(String(max))}`;
  return rows.map(({ id }) => id);
}
