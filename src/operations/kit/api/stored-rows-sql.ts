import { Prisma } from '../../../../generated/prisma/client.ts';
import { type storedFields, storedModels } from '../../../../generated/stored-fields.ts';
import type { WantedFields } from '../../../context.ts';
import type { Db } from '../../../database/open.ts';
import type { Tx } from '../../../database/transaction.ts';
import { camelCase } from '../../../domain/camel-case.ts';
import { dayToDate } from '../../../domain/dates.ts';
import type { Tenant } from '../../../domain/environment.ts';
import { type FieldRules, type Fields, rulesOf } from '../../../domain/field-rules.ts';
import type { Page } from '../clauses-sql.ts';

// Reads and writes the rows of any table for which the contract has `x-stored`. Jobs have statements of their own.

export type Table = keyof typeof storedFields;

/** A row as the contract returns it. */
export interface StoredRow {
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

type Found = Readonly<Record<string, unknown>> & {
  readonly id: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The part of a Prisma model that these functions use. */
interface Model {
  findFirst(query: { where: object }): Promise<Found | null>;
  findMany(query: { where: object; orderBy: object; skip: number; take: number; select?: object }): Promise<Found[]>;
  count(query: { where: object }): Promise<number>;
  createMany(query: { data: object[] }): Promise<{ count: number }>;
  updateMany(query: { where: object; data: object }): Promise<{ count: number }>;
  deleteMany(query: { where: object }): Promise<{ count: number }>;
}

// The cast is safe: the models differ only in their fields, which have been checked against the contract.
const modelOf = (db: Db | Tx, table: Table): Model => db[storedModels[table]] as unknown as Model;

/** Converts a value of the contract to a value for its column. */
function columnValue({ kind }: FieldRules, value: unknown): unknown {
  if (value === null && (kind === 'list' || kind === 'object')) return Prisma.DbNull;
  return kind === 'date' && typeof value === 'string' ? dayToDate(value) : value;
}

/** Converts a column's value to the value that the contract returns. */
function returnedValue({ kind, decimals }: FieldRules, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'decimal') return Number(value).toFixed(decimals);
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'bigint' ? Number(value) : value;
}

const columnsOf = (table: Table, fields: Fields): object =>
  Object.fromEntries(
    [...rulesOf(table)].flatMap(([name, rules]) =>
      Object.hasOwn(fields, name) ? [[camelCase(name), columnValue(rules, fields[name])]] : [],
    ),
  );

/**
 * Converts a found row to a `Row`, the contract's schema of a returned row. The cast is safe: the generator refuses a returned property that
 * is no column.
 */
const rowOf = <Row extends StoredRow>(table: Table, found: Found): Row =>
  ({
    id: Number(found.id),
    ...Object.fromEntries(
      [...rulesOf(table)].map(([name, rules]) => [name, returnedValue(rules, found[camelCase(name)])]),
    ),
    created_at: found.createdAt.toISOString(),
    updated_at: found.updatedAt.toISOString(),
  }) as unknown as Row;

const ofTenant = ({ companyId, environment }: Tenant) => ({ companyId, environment });

export async function findRow<Row extends StoredRow>(
  db: Db | Tx,
  table: Table,
  tenant: Tenant,
  id: number,
): Promise<Row | undefined> {
  const found = await modelOf(db, table).findFirst({ where: { ...ofTenant(tenant), id: BigInt(id) } });
  return found ? rowOf<Row>(table, found) : undefined;
}

/** Lists one page, newest first. A page past the last is empty. */
export async function listRows<Row extends StoredRow>(
  db: Db,
  table: Table,
  tenant: Tenant,
  { page, perPage }: Page,
  wanted?: WantedFields,
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const [model, where] = [modelOf(db, table), ofTenant(tenant)];
  const total = await model.count({ where });
  const skip = (page - 1) * perPage;
  const own = { id: true, createdAt: true, updatedAt: true };
  const select = wanted && { ...Object.fromEntries(wanted.map((name) => [camelCase(name), true])), ...own };
  const query = { where, orderBy: { id: 'desc' }, skip, take: perPage, ...(select && { select }) };
  const found = skip < total ? await model.findMany(query) : [];
  return { rows: found.map((row) => rowOf<Row>(table, row)), total };
}

export const countRows = (tx: Tx, table: Table, tenant: Tenant): Promise<number> =>
  modelOf(tx, table).count({ where: ofTenant(tenant) });

// A separate statement reads a written row. Prisma's `create` and `update` would return the row's whole key, with a cast of `environment`
// that nodes refuse.

export async function insertRow<Row extends StoredRow>(
  tx: Tx,
  table: Table,
  tenant: Tenant,
  fields: Fields,
  now: Date,
): Promise<Row> {
  const [next] = await tx.$queryRaw<{ id: bigint }[]>`SELECT nextval(${`${table}_id_seq`}::regclass) AS id`;
  const id = next?.id ?? 0n;
  const data = { ...ofTenant(tenant), ...columnsOf(table, fields), id, createdAt: now, updatedAt: now };
  await modelOf(tx, table).createMany({ data: [data] });
  return writtenRow<Row>(tx, table, tenant, Number(id));
}

/** Writes the fields and a later `updated_at`, if the row is unchanged since it was read. Returns undefined if it has changed. */
export async function updateRow<Row extends StoredRow>(
  tx: Tx,
  table: Table,
  tenant: Tenant,
  read: Row,
  fields: Fields,
  now: Date,
): Promise<Row | undefined> {
  const before = new Date(read.updated_at);
  const where = { ...ofTenant(tenant), id: BigInt(read.id), updatedAt: before };
  const updatedAt = new Date(Math.max(now.getTime(), before.getTime() + 1));
  const { count } = await modelOf(tx, table).updateMany({ where, data: { ...columnsOf(table, fields), updatedAt } });
  return count > 0 ? writtenRow<Row>(tx, table, tenant, read.id) : undefined;
}

/** Reads a row that this transaction has written. The row is still locked by that write, so nobody else can have changed it. */
async function writtenRow<Row extends StoredRow>(tx: Tx, table: Table, tenant: Tenant, id: number): Promise<Row> {
  const row = await findRow<Row>(tx, table, tenant, id);
  if (!row) throw new Error('a written row is gone');
  return row;
}

/** Deletes a row. If `read` is defined, deletes only a row that has not changed since it was read. Returns whether a row was deleted. */
export async function deleteRow(
  db: Db | Tx,
  table: Table,
  tenant: Tenant,
  id: number,
  read: StoredRow | undefined,
): Promise<boolean> {
  const version = read ? { updatedAt: new Date(read.updated_at) } : {};
  const { count } = await modelOf(db, table).deleteMany({ where: { ...ofTenant(tenant), id: BigInt(id), ...version } });
  return count > 0;
}

/** The stored use of an idempotency key: the hashes of the sent fields, and the resource that it created. */
export interface Claim {
  readonly fieldHashes: unknown;
  /** The table of the created resource. Null for a job. */
  readonly resource: string | null;
  readonly resourceId: bigint | null;
}

export const findClaim = (db: Db | Tx, { companyId, environment }: Tenant, key: string): Promise<Claim | null> =>
  db.idempotencyKey.findUnique({
    where: { companyId_environment_key: { companyId, environment, key } },
    select: { fieldHashes: true, resource: true, resourceId: true },
  });

/** Claims a key. Returns false if it was already used. A second transaction that claims the same key waits here for the first to end. */
export async function claimKey(
  tx: Tx,
  { companyId, environment }: Tenant,
  key: string,
  { resource, hashes, now }: { readonly resource: Table; readonly hashes: Prisma.InputJsonObject; readonly now: Date },
): Promise<boolean> {
  const data = { companyId, environment, key, resource, fieldHashes: hashes, createdAt: now };
  const { count } = await tx.idempotencyKey.createMany({ data: [data], skipDuplicates: true });
  return count > 0;
}

export async function bindKey(tx: Tx, { companyId, environment }: Tenant, key: string, id: number): Promise<void> {
  await tx.idempotencyKey.updateMany({ where: { companyId, environment, key }, data: { resourceId: BigInt(id) } });
}
