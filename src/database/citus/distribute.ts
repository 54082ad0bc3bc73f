import type pg from 'pg';
import { addKeys, dropKeys, listKeys } from '../foreign-keys.ts';
import { allOrNone } from '../transaction.ts';
import { hasNodes } from './citus.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

/** A table that Citus spreads over its nodes. */
export interface SpreadTable {
  readonly name: string;
  /** The column that decides the node of a row; null for a reference table, of which every node has a copy. */
  readonly column: string | null;
}

/**
 * A query for the tables to distribute, in the order of `place`; it works without Citus, too. A tenant's table has `company_id` in its primary
 * key: its rows are stored on the node of their company. Other tables that tenants' tables refer to become reference tables. All others, such
 * as users and the audit trail, stay on the coordinator.
 */
export const spreadTables = `
  WITH own AS (
    SELECT oid, relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace),
  tenant AS (
    SELECT own.oid, relname, 'company_id' AS key, 3 AS place
      FROM own JOIN pg_index i ON i.indrelid = own.oid AND i.indisprimary
      JOIN pg_attribute a ON a.attrelid = own.oid AND a.attnum = ANY (i.indkey) AND a.attname = 'company_id'
    UNION ALL SELECT oid, relname, 'id', 2 FROM own WHERE relname = 'companies'),
  spread AS (
    SELECT * FROM tenant
    UNION ALL SELECT DISTINCT own.oid, relname, NULL, 1
      FROM own JOIN pg_constraint f ON f.contype = 'f' AND f.confrelid = own.oid
     WHERE f.conrelid IN (SELECT oid FROM tenant) AND own.oid NOT IN (SELECT oid FROM tenant))
  SELECT relname::text AS name, key AS column FROM spread`;

const isSpread = `partmethod = 'h' OR repmodel = 't'`;

/** Names the tables that Citus has spread. Empty without Citus. */
export async function listSpread(db: Queryable): Promise<string[]> {
  if (!(await hasNodes(db))) return [];
  const { rows } = await db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON oid = logicalrelid WHERE ${isSpread}`,
  );
  return rows.map(({ name }) => name);
}

/** Reports the first table that should be distributed and is not. Undefined if there is none, or without Citus. */
export async function findUndistributed(db: Queryable): Promise<string | undefined> {
  const [table] = await undistributedTables(db);
  return table && `Citus does not distribute the table ${table.name}`;
}

/** Lists the tables that should be distributed and are not, in the order to distribute them. Empty without Citus. */
async function undistributedTables(db: Queryable): Promise<SpreadTable[]> {
  if (!(await hasNodes(db))) return [];
  const { rows } = await db.query<SpreadTable>(
    `${spreadTables} WHERE oid NOT IN (SELECT logicalrelid FROM pg_dist_partition WHERE ${isSpread})
      ORDER BY place, name`,
  );
  return rows;
}

/** Lists the functions to distribute. Their first argument is the company; they run on the node that stores the company's rows. */
const tenantFunctions = `
  SELECT oid::regprocedure::text AS name FROM pg_proc
   WHERE pronamespace = current_schema()::regnamespace AND proargnames[1] = 'of_company'
     AND oid NOT IN (SELECT objid FROM pg_dist_object
                      WHERE classid = 'pg_proc'::regclass AND distribution_argument_index IS NOT NULL)`;

/** Prepares a connection for migrations. Returns whether the tenants' tables are distributed; if so, new tables must be distributed, too. */
export async function prepareMigrations(db: Queryable): Promise<boolean> {
  if (!(await hasNodes(db))) return false;
  const { rows } = await db.query(`SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('companies')`);
  if (rows.length > 0) await db.query(`SET citus.multi_shard_modify_mode = 'sequential'`);
  return rows.length > 0;
}

/** In one transaction, distributes the tenants' functions and the tables that are not distributed yet. Returns these tables. */
export async function distribute(db: Queryable): Promise<SpreadTable[]> {
  if (!(await hasNodes(db))) return [];
  const tables = await undistributedTables(db);
  await allOrNone(db, async () => {
    await db.query(`SET LOCAL client_min_messages = warning`);
    // Several tables in one transaction must share one connection to each node.
    await db.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
    if (tables.length > 0) await distributeTables(db, tables);
    const { rows: functions } = await db.query<{ name: string }>(tenantFunctions);
    for (const { name } of functions)
      await db.query(`SELECT create_distributed_function($1, 'of_company', colocate_with => 'companies')`, [name]);
  });
  return tables;
}

/** Drops the tables' foreign keys first and adds them afterwards: Citus refuses a foreign key to or from a table that is not distributed. */
async function distributeTables(db: Queryable, tables: readonly SpreadTable[]): Promise<void> {
  const keys = await listKeys(
    db,
    tables.map(({ name }) => name),
  );
  await dropKeys(db, keys);
  for (const { name, column } of tables) await distributeTable(db, name, column);
  // A table on the coordinator cannot refer to a distributed table, so `users` loses its foreign key to `companies` (see deleteCompany).
  const spread = await listSpread(db);
  await addKeys(
    db,
    keys.filter(({ table }) => spread.includes(table)),
  );
}

async function distributeTable(db: Queryable, name: string, column: string | null): Promise<void> {
  if (column === null) await db.query('SELECT create_reference_table($1::text::regclass)', [name]);
  else
    await db.query('SELECT create_distributed_table($1::text::regclass, $2, colocate_with => $3)', [
      name,
      column,
      name === 'companies' ? 'none' : 'companies',
    ]);
  // Distributing copies the rows. Delete the originals, which would stay on the coordinator, hidden.
  await db.query('SELECT truncate_local_data_after_distributing_table($1::text::regclass)', [name]);
}
