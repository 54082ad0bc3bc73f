import pg from 'pg';
import { refuseNodes } from './citus/citus.ts';
import { DatabaseError, firstLine, unusable } from './database-errors.ts';
import { markMoved, openAlone } from './embedded.ts';
import { addKeys, dropKeys, listKeys } from './foreign-keys.ts';
import { missingIn } from './inspect.ts';
import { migrateEmbedded, migrateServer, readApplied } from './migrations.ts';
import { allOrNone } from './transaction.ts';

export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** The URL of the PostgreSQL database, without user and password. */
  readonly place: string;
}

/** A job takes at most about 100 KB, so a batch takes at most about 20 MB. */
const batchRows = 200;

/** Tables that `migrateServer` fills. */
const filledAtFirst = ['plans', 'districts', 'categories', 'service_state'];

/**
 * Copies the embedded database of a folder that is not in use to an empty PostgreSQL database, after migrating both. Copies in one
 * transaction: a failed or killed copy leaves no row. After the copy, the folder cannot be opened again. Throws a DatabaseError, perhaps
 * after migrating one or both databases.
 */
export async function moveToServer(dataDir: string, databaseUrl: string): Promise<Moved> {
  const target = await connected({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  let outcome = 'nothing was moved';
  try {
    await refuseNodes(target);
    await requireEmpty(target);
    const opened = await openAlone(dataDir);
    const embedded = await opened.start();
    try {
      await migrateEmbedded(opened.connection);
      await migrateServer(databaseUrl);
      const source = await connected(opened.connection);
      await requireSameMigrations(source, target);
      const moved = await allOrNone(target, () => copyAll(source, target));
      const { host, pathname } = new URL(databaseUrl);
      const place = `postgresql://${host}${pathname}`;
      outcome = `all rows were moved to ${place}, but the folder may not be marked as moved; start no service on it`;
      await markMoved(dataDir, place);
      await source.end();
      return { ...moved, place };
    } finally {
      await embedded.close();
    }
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(`${outcome}: ${firstLine(error)}`);
  } finally {
    await target.end();
  }
}

async function connected(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'vaga move' });
  // The next statement reports a lost connection.
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  // Timeouts that the database sets are meant for requests.
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  return client;
}

async function requireEmpty(target: pg.Client): Promise<void> {
  for (const name of await listTables(target)) {
    if (filledAtFirst.includes(name)) continue;
    const { rows } = await target.query(`SELECT FROM ${name} LIMIT 1`);
    if (rows.length > 0)
      throw new DatabaseError(`the database is not empty, its table ${name} has rows: use an empty one`);
  }
}

async function requireSameMigrations(source: pg.Client, target: pg.Client): Promise<void> {
  const [ours, theirs] = [await readApplied(source), await readApplied(target)];
  const [other] = [...ours, ...theirs].filter((name) => !ours.includes(name) || !theirs.includes(name));
  if (other !== undefined)
    throw new DatabaseError(`only one of the databases has the migration ${other}: use the version of both`);
}

/**
 * Copies without the foreign keys, so that the order of the tables does not matter. PostgreSQL checks all rows when the keys are added
 * again.
 */
async function copyAll(source: pg.Client, target: pg.Client): Promise<Omit<Moved, 'place'>> {
  const tables = await listTables(source);
  await target.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(target);
  const keys = await listKeys(target, tables);
  await dropKeys(target, keys);
  await target.query(`TRUNCATE ${tables}`);
  let rows = 0;
  for (const name of tables) rows += await copyRows(source, target, name);
  await addKeys(target, keys);
  await copySequences(source, target);
  const known = await missingIn(source);
  const [lost] = (await missingIn(target)).filter((problem) => !known.includes(problem));
  if (lost !== undefined) throw new DatabaseError(`the copy is not whole, ${lost}; nothing was moved`);
  return { tables: tables.length, rows };
}

/** Copies rows as composite values, so that PostgreSQL itself writes and reads every type. Generated columns are computed again. */
async function copyRows(source: pg.Client, target: pg.Client, name: string): Promise<number> {
  const { rows: columns } = await target.query<{ name: string; generated: string }>(
    `SELECT quote_ident(attname) AS name, attgenerated AS generated FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [name],
  );
  const written = columns
    .filter(({ generated }) => generated === '')
    .map((column) => column.name)
    .join();
  // A database that had a migration made anew has its columns in another order.
  const read = columns.map((column) => column.name).join();
  await source.query(`DECLARE copied CURSOR WITH HOLD FOR SELECT ROW(${read})::text AS row FROM ${name}`);
  for (let copied = 0; ; ) {
    const { rows } = await source.query<{ row: string }>(`FETCH ${batchRows} FROM copied`);
    await target.query(`INSERT INTO ${name} (${written}) SELECT ${written} FROM unnest($1::${name}[])`, [
      rows.map(({ row }) => row),
    ]);
    copied += rows.length;
    if (rows.length < batchRows) {
      await source.query('CLOSE copied');
      return copied;
    }
  }
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value AS last FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  for (const { name, last } of rows) await target.query('SELECT setval($1, $2)', [name, last]);
}

/** Lists the tables to copy: all but Prisma's own. */
async function listTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'`,
  );
  return rows.map(({ name }) => name);
}
