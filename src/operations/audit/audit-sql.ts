import { Prisma } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import type { Environment } from '../../domain/environment.ts';
import { contains, when } from '../kit/clauses-sql.ts';

/** The audit entries of one company or of all, ordered by id. */
export interface AuditRange {
  readonly companyId?: bigint | undefined;
  readonly sort: 'newest' | 'oldest';
  /** The id of the last entry of the previous page. */
  readonly before?: bigint | undefined;
}

/** The conditions on a range's entries. */
export interface AuditFilter {
  /** As the audit trail stores them: `operator:ana`, `administrator:7`. */
  readonly actors?: readonly string[] | undefined;
  /** All actors of one kind. */
  readonly actorKind?: 'administrator' | 'user' | 'operator' | undefined;
  readonly action?: AuditAction | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** Words of the details, ignoring case and accents. */
  readonly text?: string | undefined;
  /** `text` also finds entries with one of these details. */
  readonly mentions?: readonly Detail[] | undefined;
}

/** One of an entry's details. `value` is its JSON text. */
export interface Detail<Name extends string = string> {
  readonly name: Name;
  readonly value: string;
}

/** A detail, and the company of the entries that have it. `companyName` is null if the company is not known, as in `AuditRow`. */
export interface Mention<Name extends string> extends Detail<Name>, Pick<AuditRow, 'companyId' | 'companyName'> {}

export interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly companyId: bigint | null;
  readonly companyName: string | null;
  readonly environment: Environment | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Lists one page of a range's entries. No index fits a filter, so a filtered page reads only the range's first `readMax` entries. `next` is
 * the `before` of the next page. If the matches fit on this page, the next page begins after the entries that were read.
 */
export async function listAudit(
  tx: Tx,
  range: AuditRange,
  filter: AuditFilter,
  { perPage, readMax }: { readonly perPage: number; readonly readMax: number },
): Promise<{ items: AuditRow[]; next: bigint | undefined }> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const unread = isFiltered ? await findUnread(tx, range, readMax) : undefined;
  const isRead = when(unread, (id) => Prisma.sql`id ${Prisma.raw(range.sort === 'newest' ? '>' : '<')} ${id}::bigint`);
  const found = await tx.$queryRaw<AuditRow[]>`
    WITH page AS MATERIALIZED (
      SELECT id, created_at AS at, actor, action, environment, details, company_id AS "companyId"
        FROM audit_entries WHERE ${within(range)} AND ${matching(filter)} AND ${isRead} ORDER BY ${orderById(range)} LIMIT ${perPage + 1}::int),
    named AS MATERIALIZED (
      SELECT id, name FROM companies WHERE id = ANY (ARRAY(SELECT "companyId" FROM page LIMIT ${perPage + 1}::int)))
    SELECT page.*, named.name AS "companyName" FROM page LEFT JOIN named ON named.id = page."companyId" ORDER BY ${orderById(range, 'page.id')}`;
  const items = found.slice(0, perPage);
  const next = unread === undefined ? undefined : unread + (range.sort === 'newest' ? 1n : -1n);
  return { items, next: found.length > perPage ? items.at(-1)?.id : next };
}

/** Returns the id of the entry that follows a range's first `readMax` entries. */
async function findUnread(tx: Tx, range: AuditRange, readMax: number): Promise<bigint | undefined> {
  const [row] = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT id FROM audit_entries WHERE ${within(range)}
     ORDER BY ${orderById(range)} LIMIT 1 OFFSET ${readMax}::int`;
  return row?.id;
}

/** Finds the distinct details that have one of these names, in a range's first `readMax` entries. */
export const listMentions = <Name extends string>(
  tx: Tx,
  range: AuditRange,
  names: readonly Name[],
  readMax: number,
): Promise<Mention<Name>[]> =>
  tx.$queryRaw`
    WITH mentioned AS MATERIALIZED (
      SELECT DISTINCT company_id AS "companyId", detail.key AS name, detail.value::text
        FROM (SELECT company_id, details FROM audit_entries WHERE ${within(range)} ORDER BY ${orderById(range)} LIMIT ${readMax}::int) AS read,
             jsonb_each(details) AS detail WHERE detail.key = ANY (${names}::text[])),
    named AS MATERIALIZED (
      SELECT id, name FROM companies
       WHERE id = ANY (ARRAY(SELECT DISTINCT "companyId" FROM mentioned LIMIT ${readMax}::int)))
    SELECT mentioned.*, named.name AS "companyName" FROM mentioned LEFT JOIN named ON named.id = mentioned."companyId"`;

const orderById = ({ sort }: AuditRange, id = 'id'): Prisma.Sql => Prisma.raw(sort === 'newest' ? `${id} DESC` : id);

const within = ({ companyId, sort, before }: AuditRange): Prisma.Sql => Prisma.sql`
  ${when(before, (id) => Prisma.sql`id ${Prisma.raw(sort === 'newest' ? '<' : '>')} ${id}::bigint`)}
  AND ${when(companyId, (id) => Prisma.sql`company_id = ${id}`)}`;

const matching = ({
  actors,
  actorKind,
  action,
  from,
  until,
  text,
  mentions = [],
}: AuditFilter): Prisma.Sql => Prisma.sql`
  ${when(actors, (names) => Prisma.sql`actor = ANY (${names}::text[])`)}
  AND ${when(actorKind, (kind) => Prisma.sql`split_part(actor, ':', 1) = ${kind}`)}
  AND ${when(action, (name) => Prisma.sql`action = ${name}`)}
  AND ${when(from, (time) => Prisma.sql`created_at >= ${time}::timestamptz`)}
  AND ${when(until, (time) => Prisma.sql`created_at < ${time}::timestamptz`)}
  AND ${when(text, (words) => Prisma.sql`(${contains('details_folded', words)} OR ${mentioning(mentions)})`)}`;

const mentioning = (mentions: readonly Detail[]): Prisma.Sql =>
  mentions.length === 0
    ? Prisma.sql`false`
    : Prisma.sql`EXISTS (SELECT FROM jsonb_each(details) AS detail
                          WHERE detail.key || ' ' || detail.value::text IN (SELECT unnest(${mentions.map(({ name, value }) => `${name} ${value}`)}::text[])))`;
