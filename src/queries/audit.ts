import { Prisma } from '../../generated/prisma/client.ts';
import type { Tx } from '../database/transaction.ts';
import type { AuditAction } from '../domain/audit-actions.ts';
import type { Environment } from '../domain/environment.ts';

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

/** Lists at most `limit` entries older than the entry `before`, newest first. */
export function listAudit(
  tx: Tx,
  filter: AuditFilter,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
): Promise<AuditRow[]> {
  const older = before === undefined ? Prisma.sql`true` : Prisma.sql`id < ${before}`;
  // Citus joins the coordinator's own tables only with each other: companies are looked up for the page as a whole.
  return tx.$queryRaw<AuditRow[]>`
    WITH page AS MATERIALIZED (
      SELECT e.id, e.created_at AS at, e.actor, e.action, e.environment, e.details, e.company_id AS "companyId",
             coalesce((SELECT email FROM administrators a WHERE a.id = ${idAfter('administrator')}),
                      (SELECT email FROM users u WHERE u.id = ${idAfter('user')})) AS "actorEmail"
        FROM (SELECT * FROM audit_entries WHERE ${matching(filter)} AND ${older} ORDER BY id DESC LIMIT ${limit}::int) e),
    named AS MATERIALIZED (
      SELECT id, name FROM companies WHERE id = ANY (ARRAY(SELECT "companyId" FROM page LIMIT ${limit}::int)))
    SELECT page.*, named.name AS "companyName" FROM page LEFT JOIN named ON named.id = page."companyId" ORDER BY page.id DESC`;
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
