import pg from 'pg';
import { hasCitus } from './citus.ts';
import { DatabaseError, firstLine, unusable } from './database-errors.ts';
import { markMoved, openAlone } from './embedded.ts';
import { missingIn } from './inspect.ts';
import { migrateEmbedded, migrateServer, readApplied } from './migrations.ts';

export interface Moved {
  readonly tables: number;
  readonly rows: number;
  /** Without a user and a password. */
  readonly place: string;
}

interface Table {
  readonly name: string;
  /** Tables that must have their rows before. */
  readonly needs: readonly string[];
  readonly needsItself: boolean;
}

/** A job has at most some 100 KB. */
const batchRows = 200;
const serverVersionMin = 150_000;

/** What a migration fills; Prisma's own table is not copied. */
const filledAtFirst = ['plans', 'districts', 'categories', 'service_state'];

/**
 * Copies the embedded database of a folder, which nobody uses meanwhile, to an empty PostgreSQL, which it migrates. The copy is one transaction:
 * a failed or killed one leaves no row. The folder is not opened again afterwards. Throws a DatabaseError, and then no row of either has changed.
 */
export async function moveToServer(dataDir: string, databaseUrl: string): Promise<Moved> {
  const target = await connected({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await requireUsable(target);
    const opened = await openAlone(dataDir);
    const embedded = await opened.start();
    try {
      await migrateEmbedded(opened.connection);
      const source = await connected(opened.connection);
      await requireSameMigrations(source, target);
      await migrateServer(databaseUrl);
      await requireSameMigrations(source, target);
      const moved = await inOneTransaction(source, target, () => copyAll(source, target));
      const { host, pathname } = new URL(databaseUrl);
      const place = `postgresql://${host}${pathname}`;
      await markMoved(dataDir, place);
      await source.end();
      return { ...moved, place };
    } finally {
      await embedded.close();
    }
  } catch (error) {
    throw error instanceof DatabaseError ? error : new DatabaseError(`nothing was moved: ${firstLine(error)}`);
  } finally {
    await target.end();
  }
}

async function connected(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'vaga move' });
  // The next statement reports it.
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  // Rows are compared as text, and the database's own timeouts are for requests.
  await client.query(`SET timezone = 'UTC'; SET datestyle = ISO; SET intervalstyle = postgres; SET bytea_output = hex;
    SET extra_float_digits = 1; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`);
  return client;
}

async function requireUsable(target: pg.Client): Promise<void> {
  const { rows } = await target.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if (Number(rows[0]?.version) < serverVersionMin)
    throw new DatabaseError('the database must be PostgreSQL 15 or newer');
  if (await hasCitus(target))
    throw new DatabaseError('the database has Citus: move to one without it, and copy that by the deploy guide');
  await requireEmpty(target);
}

async function requireEmpty(target: pg.Client): Promise<void> {
  for (const { name } of await listTables(target)) {
    if (filledAtFirst.includes(name)) continue;
    const { rows } = await target.query(`SELECT FROM ${name} LIMIT 1`);
    if (rows.length > 0)
      throw new DatabaseError(`the database is not empty, its table ${name} has rows: use an empty one`);
  }
}

/** The target may still lack some. */
async function requireSameMigrations(source: pg.Client, target: pg.Client): Promise<void> {
  const [ours, theirs] = [await readApplied(source), await readApplied(target)];
  const [unknown] = theirs.filter((name) => !ours.includes(name));
  const [missing] = theirs.length > 0 ? ours.filter((name) => !theirs.includes(name)) : [];
  if (unknown !== undefined)
    throw new DatabaseError(
      `the database has migration ${unknown}, which the embedded one lacks: use the same version`,
    );
  if (missing !== undefined)
    throw new DatabaseError(
      `the database lacks migration ${missing}, which the embedded one has: use the same version`,
    );
}

async function inOneTransaction<T>(source: pg.Client, target: pg.Client, work: () => Promise<T>): Promise<T> {
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await target.query('BEGIN');
  try {
    const result = await work();
    await target.query('COMMIT');
    return result;
  } catch (error) {
    await target.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    await source.query('ROLLBACK').catch(() => undefined);
  }
}

async function copyAll(source: pg.Client, target: pg.Client): Promise<Pick<Moved, 'tables' | 'rows'>> {
  const tables = inOrder(await listTables(source));
  const names = tables.map(({ name }) => name).join(', ');
  await target.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(target);
  await target.query(`TRUNCATE ${names}`);
  let rows = 0;
  for (const table of tables) {
    await copyRows(source, target, table);
    const [sent, received] = [await digestOf(source, table), await digestOf(target, table)];
    if (sent.digest !== received.digest)
      throw new DatabaseError(`the rows of ${table.name} differ after the copy; nothing was moved`);
    rows += received.rows;
  }
  await copySequences(source, target);
  const known = await missingIn(source);
  const [lost] = (await missingIn(target)).filter((problem) => !known.includes(problem));
  if (lost !== undefined) throw new DatabaseError(`the copy is not whole, ${lost}; nothing was moved`);
  return { tables: tables.length, rows };
}

/** Composite values, so that every type goes as PostgreSQL writes and reads it. */
async function copyRows(source: pg.Client, target: pg.Client, { name, needsItself }: Table): Promise<void> {
  await source.query(`DECLARE copied CURSOR FOR SELECT t::text AS row FROM ${name} t`);
  for (;;) {
    // Rows that refer to each other go in one statement.
    const { rows } = await source.query<{ row: string }>(`FETCH ${needsItself ? 'ALL' : batchRows} FROM copied`);
    if (rows.length === 0) break;
    await target.query(`INSERT INTO ${name} SELECT * FROM unnest($1::${name}[])`, [rows.map(({ row }) => row)]);
  }
  await source.query('CLOSE copied');
}

async function digestOf(client: pg.Client, { name }: Table): Promise<{ rows: number; digest: string | null }> {
  const { rows } = await client.query<{ rows: number; digest: string | null }>(
    `SELECT count(*)::int AS rows, md5(string_agg(digest, '' ORDER BY digest COLLATE "C")) AS digest
       FROM (SELECT md5(t::text) AS digest FROM ${name} t) AS each_row`,
  );
  return rows[0] ?? { rows: 0, digest: null };
}

async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(
    `SELECT quote_ident(sequencename) AS name, last_value AS last FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  for (const { name, last } of rows) await target.query('SELECT setval($1, $2)', [name, last]);
}

async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT quote_ident(relname) AS name,
            array(SELECT quote_ident(needed.relname) FROM pg_constraint JOIN pg_class needed ON needed.oid = confrelid
                   WHERE contype = 'f' AND conrelid = t.oid AND confrelid <> t.oid) AS needs,
            EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conrelid = t.oid AND confrelid = t.oid) AS "needsItself"
       FROM pg_class t
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'`,
  );
  return rows;
}

/** Those that others refer to first. */
function inOrder(tables: readonly Table[], done: readonly Table[] = []): readonly Table[] {
  const known = done.map(({ name }) => name);
  const next = tables.filter(
    ({ name, needs }) => !known.includes(name) && needs.every((other) => known.includes(other)),
  );
  return next.length === 0 ? done : inOrder(tables, [...done, ...next]);
}
