import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Protocol, Tenant } from '../../domain/environment.ts';
import type { LoggedRequest } from '../../domain/logged-request.ts';
import { type IdOrder, isBeyond, orderById } from '../id-order-sql.ts';

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

export interface RequestRow extends LoggedRequest {
  readonly id: bigint;
  /** The company's name for the credential; null if it no longer exists. */
  readonly credentialLabel: string | null;
}

type Optional<T> = { readonly [Key in keyof T]: T[Key] | undefined };

const owned = ({ companyId, environment }: Tenant): Prisma.Sql =>
  Prisma.sql`r.company_id = ${companyId} AND r.environment = ${environment}::environment`;

const when = <T>(value: T | undefined, condition: (value: T) => Prisma.Sql): Prisma.Sql =>
  value === undefined ? Prisma.sql`true` : condition(value);

type Range = IdOrder & { readonly since: Date; readonly rowsMax: number };

/** Lists at most `rowsMax` requests since `since`. */
export const listRequests = (db: Db, tenant: Tenant, filter: RequestFilter, range: Range): Promise<RequestRow[]> =>
  read(db, { ...tenant, ...filter }, range);

/**
 * Finds a request since `since` by its id or trace. Without a company it reads the whole table: an index for an operator's question would
 * cost every request a write.
 */
export async function findRequest(db: Db, filter: Optional<Tenant> & RequestFilter, since: Date) {
  const [found] = await read(db, filter, { since, sort: 'newest', before: undefined, rowsMax: 1 });
  return found;
}

const read = (
  db: Db,
  { companyId, environment, protocol, operation, credentialId, statuses, text }: Optional<Tenant> & RequestFilter,
  { since, rowsMax, ...order }: Range,
) =>
  db.$queryRaw<RequestRow[]>`
    SELECT r.company_id AS "companyId", r.environment::text AS environment, r.id, r.at, r.request_id AS "requestId",
           r.protocol::text AS protocol, r.operation, r.status, r.credential_id::float8 AS "credentialId",
           c.label AS "credentialLabel", r.latency_ms AS "latencyMs", r.traceparent, r.reason, r.fields
      FROM request_log r LEFT JOIN credentials c ON c.company_id = r.company_id AND c.id = r.credential_id
     WHERE ${when(companyId, (id) => Prisma.sql`r.company_id = ${id}`)}
       AND ${when(environment, (name) => Prisma.sql`r.environment = ${name}::environment`)} AND r.at >= ${since}::timestamptz
       AND ${when(protocol, (name) => Prisma.sql`r.protocol = ${name}::protocol`)}
       AND ${when(operation, (name) => Prisma.sql`r.operation = ${name}`)}
       AND ${when(credentialId, (id) => Prisma.sql`r.credential_id = ${id}::bigint`)}
       AND ${when(statuses, ([min, max]) => Prisma.sql`r.status BETWEEN ${min}::int AND ${max}::int`)}
       AND ${when(text, (id) => Prisma.sql`(r.request_id = ${id} OR split_part(r.traceparent, '-', 2) = ${id})`)}
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
