import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import type { AuditAction } from '../domain/audit-actions.ts';
import type { Environment } from '../domain/environment.ts';
import { type IdOrder, isBeyond, orderById } from './id-order.ts';
import { contains } from './text-search.ts';

/** An audit entry without its actor and time. Never contains a secret, a password, an e-mail address or a job's text. */
export interface AuditNote {
  readonly action: AuditAction;
  readonly companyId?: bigint;
  readonly environment?: Environment;
  readonly details: Prisma.InputJsonObject;
}

export async function writeAudit(tx: Tx, actor: string, now: Date, note: AuditNote): Promise<void> {
  await tx.auditEntry.create({ data: { ...note, actor, createdAt: now }, select: { id: true } });
}

export interface AuditFilter {
  /** As the trail stores it: `operator`, `administrator:7`. */
  readonly actor?: string | undefined;
  /** All actors of one kind. */
  readonly actorKind?: 'administrator' | 'user' | undefined;
  readonly action?: AuditAction | undefined;
  readonly companyId?: bigint | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

export interface AuditRange extends IdOrder {
  readonly limit: number;
  /** Part of a detail, ignoring case and accents. */
  readonly text?: string | undefined;
  /** A text is searched in this many entries. */
  readonly searchedMax: number;
}

export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  /** Null if the actor is not a person or no longer exists. */
  readonly actorEmail: string | null;
  readonly action: string;
  readonly companyId: bigint | null;
  readonly companyName: string | null;
  readonly environment: Environment | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Lists at most `limit` entries. */
export function listAudit(
  tx: Tx,
  filter: AuditFilter,
  { limit, text, searchedMax, ...order }: AuditRange,
): Promise<AuditRow[]> {
  const entries = Prisma.sql`SELECT * FROM audit_entries WHERE ${matching(filter)} AND ${isBeyond(order)} ORDER BY ${orderById(order)}`;
  const found =
    text === undefined
      ? Prisma.sql`${entries} LIMIT ${limit}::int`
      : Prisma.sql`SELECT * FROM (${entries} LIMIT ${searchedMax}::int) AS latest
                    WHERE EXISTS (SELECT FROM jsonb_each_text(details) AS detail WHERE ${contains('detail.value', text)})
                    ORDER BY ${orderById(order)} LIMIT ${limit}::int`;
  // Citus joins the coordinator's own tables only with each other: companies are looked up for the page as a whole.
  return tx.$queryRaw<AuditRow[]>`
    WITH page AS MATERIALIZED (
      SELECT e.id, e.created_at AS at, e.actor, e.action, e.environment, e.details, e.company_id AS "companyId",
             coalesce((SELECT email FROM administrators a WHERE a.id = ${idAfter('administrator')}),
                      (SELECT email FROM users u WHERE u.id = ${idAfter('user')})) AS "actorEmail"
        FROM (${found}) e),
    named AS MATERIALIZED (
      SELECT id, name FROM companies WHERE id = ANY (ARRAY(SELECT "companyId" FROM page LIMIT ${limit}::int)))
    SELECT page.*, named.name AS "companyName" FROM page LEFT JOIN named ON named.id = page."companyId" ORDER BY ${orderById(order, 'page.id')}`;
}

export async function findAuditEntry(tx: Tx, id: bigint): Promise<AuditRow | undefined> {
  const range = { sort: 'newest', before: id + 1n, limit: 1, text: undefined, searchedMax: 1 } as const;
  const [entry] = await listAudit(tx, {}, range);
  return entry?.id === id ? entry : undefined;
}

function matching({ actor, actorKind, action, companyId, from, until }: AuditFilter): Prisma.Sql {
  const conditions = [Prisma.sql`true`];
  if (actor !== undefined) conditions.push(Prisma.sql`actor = ${actor}`);
  if (actorKind !== undefined) conditions.push(Prisma.sql`starts_with(actor, ${`${actorKind}:`})`);
  if (action !== undefined) conditions.push(Prisma.sql`action = ${action}`);
  if (companyId !== undefined) conditions.push(Prisma.sql`company_id = ${companyId}`);
  if (from !== undefined) conditions.push(Prisma.sql`created_at >= ${from}::timestamptz`);
  if (until !== undefined) conditions.push(Prisma.sql`created_at < ${until}::timestamptz`);
  return Prisma.join(conditions, ' AND ');
}

/** The number in `kind:number`, so that the person is found by primary key. */
const idAfter = (kind: 'administrator' | 'user'): Prisma.Sql =>
  Prisma.sql`CASE WHEN e.actor ~ ${`^${kind}:[0-9]{1,18}$`} THEN split_part(e.actor, ':', 2)::bigint END`;
