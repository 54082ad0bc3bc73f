import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { PartialTenant, Protocol, Tenant } from '../../domain/environment.ts';
import type { LoggedRequest, RefusalReason } from '../../telemetry/logged-request.ts';
import { owned, when } from '../kit/clauses-sql.ts';

/** An absent property matches everything. */
interface RequestFilter extends PartialTenant {
  readonly protocol?: Protocol | undefined;
  readonly operation?: string | undefined;
  readonly credentialId?: number | undefined;
  /** Both inclusive. */
  readonly statuses?: readonly [min: number, max: number] | undefined;
  readonly reason?: RefusalReason | undefined;
  /** Only refused requests. */
  readonly isRefused: boolean;
  /** A request id or the trace id of a `traceparent`. */
  readonly text?: string | undefined;
}

export interface RequestRow extends LoggedRequest {
  readonly companyName: string;
  /** The company's name for the credential. Null if the credential was deleted. */
  readonly credentialLabel: string | null;
}

/** Where a page continues: after the first `skip` requests whose time is `at`. */
export interface Place {
  readonly at: Date;
  readonly skip: bigint;
}

interface Range {
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date | undefined;
  readonly sort: 'newest' | 'oldest';
  readonly place: Place | undefined;
  readonly rowsMax: number;
  /** The time of the first request that is not read, in the range's order. */
  readonly unread?: Date | undefined;
}

/**
 * Lists at most `rowsMax` requests, ordered by time and not by id, because every process writes its own batches. A search for a request or
 * trace id without a company reads the whole table: an index for this rare search would cost every request a write.
 */
export function listRequests(
  db: Db,
  { companyId, environment, protocol, operation, credentialId, statuses, reason, isRefused, text }: RequestFilter,
  { since, until, sort, place, rowsMax, unread }: Range,
): Promise<RequestRow[]> {
  const { direction, side, before } = orders[sort];
  return db.$queryRaw<RequestRow[]>`
    SELECT r.company_id AS "companyId", o.name AS "companyName", r.environment::text AS environment, r.at,
           r.request_id AS "requestId", r.protocol::text AS protocol, r.operation, r.status, r.credential_id::float8 AS "credentialId",
           c.label AS "credentialLabel", r.latency_ms AS "latencyMs", r.traceparent, r.reason, r.fields,
           r.job_id::float8 AS "resourceId", r.message
      FROM request_log r JOIN companies o ON o.id = r.company_id
      LEFT JOIN credentials c ON c.company_id = r.company_id AND c.id = r.credential_id
     WHERE ${when(companyId, (id) => Prisma.sql`r.company_id = ${id}`)}
       AND ${when(environment, (name) => Prisma.sql`r.environment = ${name}::environment`)} AND r.at >= ${since}::timestamptz
       AND ${when(until, (end) => Prisma.sql`r.at < ${end}::timestamptz`)}
       AND ${when(protocol, (name) => Prisma.sql`r.protocol = ${name}::protocol`)}
       AND ${when(operation, (name) => Prisma.sql`r.operation = ${name}`)}
       AND ${when(credentialId, (id) => Prisma.sql`r.credential_id = ${id}::bigint`)}
       AND ${when(statuses, ([min, max]) => Prisma.sql`r.status BETWEEN ${min}::int AND ${max}::int`)}
       AND ${when(reason, (code) => Prisma.sql`r.reason = ${code}`)}
       AND ${isRefused ? Prisma.sql`r.reason IS NOT NULL` : Prisma.sql`true`}
       AND ${when(text, (id) => Prisma.sql`(r.request_id = ${id} OR split_part(r.traceparent, '-', 2) = ${id})`)}
       AND ${when(place, ({ at }) => Prisma.sql`r.at ${side} ${at}::timestamptz`)}
       AND ${when(unread, (at) => Prisma.sql`r.at ${before} ${at}::timestamptz`)}
     ORDER BY r.at ${direction}, r.id ${direction} LIMIT ${rowsMax}::int OFFSET ${place?.skip ?? 0n}::bigint`;
}

/** Returns the time of the request that follows the first `readMax` of a company's requests in one environment. */
export async function findUnread(
  db: Db,
  tenant: Tenant,
  { since, until, sort, place }: Omit<Range, 'rowsMax'>,
  readMax: number,
): Promise<Date | undefined> {
  const { direction, side } = orders[sort];
  const [row] = await db.$queryRaw<{ at: Date }[]>`
    SELECT at FROM request_log
     WHERE ${owned(tenant)} AND at >= ${since}::timestamptz AND ${when(until, (end) => Prisma.sql`at < ${end}::timestamptz`)}
       AND ${when(place, ({ at }) => Prisma.sql`at ${side} ${at}::timestamptz`)}
     ORDER BY at ${direction} LIMIT 1 OFFSET ${BigInt(readMax) + (place?.skip ?? 0n)}::bigint`;
  return row?.at;
}

const orders = {
  newest: { direction: Prisma.raw('DESC'), side: Prisma.raw('<='), before: Prisma.raw('>') },
  oldest: { direction: Prisma.raw('ASC'), side: Prisma.raw('>='), before: Prisma.raw('<') },
} as const;
