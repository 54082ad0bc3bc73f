import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { AccessEntry, Protocol } from '../domain/access-entry.ts';
import type { Tenant } from '../domain/environment.ts';
import { type IdOrder, isBeyond, orderById } from './id-order.ts';

/** Inserts all rows with one statement, whose only parameter is their JSON. */
export async function insertRequests(db: Db, entries: readonly AccessEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    company_id: String(entry.companyId),
    environment: entry.environment,
    at: entry.at,
    request_id: entry.requestId,
    protocol: entry.protocol,
    operation: entry.operation,
    status: entry.status,
    credential_id: entry.credentialId,
    latency_ms: entry.latencyMs,
    traceparent: entry.traceparent,
    reason: entry.reason,
    fields: entry.fields,
  }));
  await db.rows(Prisma.sql`
    INSERT INTO request_log (company_id, environment, at, request_id, protocol, operation, status, credential_id, latency_ms,
                             traceparent, reason, fields)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (
             company_id bigint, environment environment, at timestamptz, request_id text, protocol protocol,
             operation text, status int, credential_id bigint, latency_ms int, traceparent text, reason text, fields text[])`);
}

/**
 * Deletes rows older than a time, at most `rowsMax` in each statement, and returns how many. Fewer than `rowsMax`: none are left. Works by
 * company, because every index begins with it, and skips rows that another process is deleting.
 */
export async function purgeRequests(db: Db, before: Date, rowsMax: number): Promise<number> {
  const companies = await companiesWithRequests(db, before, rowsMax);
  const limit = Prisma.raw(String(rowsMax));
  let deleted = 0;
  for (let first = 0; first < companies.length && deleted < rowsMax; first += db.batchMax) {
    const ids = companies.slice(first, first + db.batchMax);
    const old = Prisma.sql`company_id = ANY (${ids}::bigint[]) AND environment = ANY (enum_range(NULL::environment))`;
    deleted += await db.$executeRaw`
      DELETE FROM request_log
       WHERE ${old} AND (company_id, environment, id) IN (
               SELECT company_id, environment, id FROM request_log
                WHERE ${old} AND at < ${before}::timestamptz LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
  }
  return deleted;
}

/** Lists at most `max` companies that have requests before a time. The LIMIT is a literal: PostgreSQL scans the whole table for a parameter. */
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

/** An absent property matches everything. */
export interface RequestFilter {
  readonly protocol?: Protocol | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: number | undefined;
  /** Both inclusive. */
  readonly statuses?: readonly [min: number, max: number] | undefined;
  /** A request id or the trace id of a `traceparent`. */
  readonly text?: string | undefined;
}

export interface AccessRow extends Omit<AccessEntry, 'companyId' | 'environment'> {
  readonly id: bigint;
  /** The company's name for the credential; null if it no longer exists. */
  readonly credentialLabel: string | null;
}

const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`r.company_id = ${companyId} AND r.environment = ${environment}::environment`;

const matches = ({ protocol, operation, credentialId, statuses, text }: RequestFilter): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`true`,
      ...(protocol === undefined ? [] : [Prisma.sql`r.protocol = ${protocol}::protocol`]),
      ...(operation === undefined ? [] : [Prisma.sql`r.operation = ${operation}`]),
      ...(credentialId === undefined ? [] : [Prisma.sql`r.credential_id = ${credentialId}::bigint`]),
      ...(statuses === undefined ? [] : [Prisma.sql`r.status BETWEEN ${statuses[0]}::int AND ${statuses[1]}::int`]),
      ...(text === undefined
        ? []
        : [Prisma.sql`(r.request_id = ${text} OR split_part(r.traceparent, '-', 2) = ${text})`]),
    ],
    ' AND ',
  );

/** Lists at most `rowsMax` requests since `since`. */
export const listRequests = (
  db: Db,
  tenant: Tenant,
  filter: RequestFilter,
  { since, rowsMax, ...order }: IdOrder & { readonly since: Date; readonly rowsMax: number },
): Promise<AccessRow[]> =>
  db.$queryRaw<AccessRow[]>`
    SELECT r.id, r.at, r.request_id AS "requestId", r.protocol::text AS protocol, r.operation, r.status,
           r.credential_id::float8 AS "credentialId", c.label AS "credentialLabel", r.latency_ms AS "latencyMs", r.traceparent,
           r.reason, r.fields
      FROM request_log r LEFT JOIN credentials c ON c.company_id = r.company_id AND c.id = r.credential_id
     WHERE ${owned(tenant)} AND r.at >= ${since}::timestamptz AND ${matches(filter)}
       AND ${isBeyond(order, 'r.id')}
     ORDER BY ${orderById(order, 'r.id')} LIMIT ${rowsMax}::int`;

export interface MinuteCount {
  /** The start of the minute. */
  readonly minute: Date;
  readonly requests: number;
  /** Of these, with a status of 400 or above. */
  readonly refused: number;
}

/** Counts the requests of every minute from `from` to `to`, both inclusive; also minutes without requests. */
export const countByMinute = (db: Db, tenant: Tenant, from: Date, to: Date): Promise<MinuteCount[]> =>
  db.$queryRaw<MinuteCount[]>`
    SELECT m.minute, count(r.id)::int AS requests, (count(r.id) FILTER (WHERE r.status >= 400))::int AS refused
      FROM generate_series(date_trunc('minute', ${from}::timestamptz), ${to}::timestamptz, '1 minute') AS m (minute)
      LEFT JOIN request_log r ON ${owned(tenant)} AND r.at >= m.minute AND r.at < m.minute + interval '1 minute'
     GROUP BY m.minute ORDER BY m.minute`;
