import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { allOrNone, distribute, isDistributed, type SpreadTable, undistributedTables } from './citus.ts';
import { DatabaseError, firstLine, unusable } from './database-errors.ts';
import { functionsFile, listMigrations, readFunctions, readMigration, referenceSeed } from './prisma-folder.ts';
import { splitStatements } from './split-statements.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export type SchemaState =
  | { kind: 'current' }
  | { kind: 'behind'; missing: string[] }
  | { kind: 'ahead'; unknown: string }
  | { kind: 'broken'; failed: string }
  /** Of a database with Citus. */
  | { kind: 'undistributed'; table: string };

const undefinedTable = '42P01';
const afterFailure = 'see "prisma migrate resolve", then run npm run migrate';
const unfinished = 'finished_at IS NULL AND rolled_back_at IS NULL';

/** Prisma's own table. */
const createHistory = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL,
  checksum varchar(64) NOT NULL,
  finished_at timestamptz,
  migration_name varchar(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
)`;

/** Compares the database's migrations with the folder's, and with Citus its distributed tables with the tenants'. */
export async function readSchemaState(db: Queryable): Promise<SchemaState> {
  const [known, applied] = await Promise.all([listMigrations(), readApplied(db)]);
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown) return { kind: 'ahead', unknown: unknown.name };
  const failed = applied.find(({ finished }) => !finished);
  if (failed) return { kind: 'broken', failed: failed.name };
  const missing = known.filter((name) => !applied.some((migration) => migration.name === name));
  if (missing.length > 0) return { kind: 'behind', missing };
  const [table] = await undistributedTables(db);
  if (table) return { kind: 'undistributed', table: table.name };
  return (await hasFunctions(db)) ? { kind: 'current' } : { kind: 'behind', missing: [functionsFile] };
}

async function readApplied(db: Queryable): Promise<{ name: string; finished: boolean }[]> {
  try {
    const { rows } = await db.query<{ name: string; finished: boolean }>(
      `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
         FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return [];
    throw error;
  }
}

/** Whether the functions were last applied with the text that they have here. */
async function hasFunctions(db: Queryable): Promise<boolean> {
  const applied = `SELECT FROM service_state WHERE name = 'functions' AND value = to_jsonb($1::text)`;
  const { rows } = await db.query(applied, [digestOf(await readFunctions())]);
  return rows.length > 0;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Throws a DatabaseError unless the database has exactly this version's migrations and functions and, with Citus, is distributed. */
export async function requireCurrent(db: Queryable): Promise<void> {
  const state = await readSchemaState(db);
  if (state.kind !== 'current') throw refusal(state);
}

function refusal(state: Exclude<SchemaState, { kind: 'current' }>): DatabaseError {
  switch (state.kind) {
    case 'behind':
      return new DatabaseError(`the database lacks migration ${state.missing[0]}: run npm run migrate`);
    case 'ahead':
      return new DatabaseError(`the database has migration ${state.unknown} that this version does not know`);
    case 'broken':
      return new DatabaseError(`migration ${state.failed} did not finish: ${afterFailure}`);
    case 'undistributed':
      return new DatabaseError(`Citus does not distribute the table ${state.table}: run npm run migrate`);
  }
}

/** Migrates and seeds the embedded database, also after an interrupted start. Returns the applied migrations. */
export const migrateEmbedded = (connection: pg.ClientConfig): Promise<string[]> =>
  withLock(connection, async (client) => {
    const { kind } = await readSchemaState(client);
    if (kind === 'broken')
      await client.query(`UPDATE _prisma_migrations SET rolled_back_at = now() WHERE ${unfinished}`);
    const { applied } = await applyMissing(client);
    await client.query(...(await referenceSeed({ again: false })));
    return applied;
  });

interface Migrated {
  readonly applied: string[];
  /** With Citus, the tables that were distributed. */
  readonly distributed: SpreadTable[];
}

/**
 * Migrates, distributes and seeds a server's database, one process at a time. Throws for a newer or broken schema. Not by Prisma's command:
 * that downloads an engine, and on Citus a table is distributed before the next migration.
 */
export function migrateServer(databaseUrl: string): Promise<Migrated> {
  const connection = { connectionString: databaseUrl, application_name: 'vaga migrate' };
  return withLock({ ...connection, connectionTimeoutMillis: 10_000 }, async (client) => {
    const { applied, distributed } = await applyMissing(client);
    distributed.push(...(await distribute(client)));
    await client.query(...(await referenceSeed({ again: true })));
    return { applied, distributed };
  });
}

/** Runs `work` on a connection that holds the lock of `prisma migrate` until it ends, even if the process dies. */
async function withLock<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  try {
    // The database's own timeout is for requests.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock(72707369)');
    return await work(client);
  } finally {
    await client.end();
  }
}

async function applyMissing(db: Queryable): Promise<Migrated> {
  const distributed: SpreadTable[] = [];
  const state = await readSchemaState(db);
  if (state.kind === 'ahead' || state.kind === 'broken') throw refusal(state);
  const spread = await isDistributed(db);
  if (spread) await db.query(`SET citus.multi_shard_modify_mode = 'sequential'`);
  const missing = state.kind === 'behind' ? state.missing.filter((name) => name !== functionsFile) : [];
  if (missing.length === 0) {
    if (await hasFunctions(db)) return { applied: [], distributed };
    await allOrNone(db, () => replaceFunctions(db)).catch((error) => {
      throw new DatabaseError(`${functionsFile} failed, ${firstLine(error)}`);
    });
    return { applied: [functionsFile], distributed };
  }
  const { rows } = await db.query(
    `SELECT FROM pg_tables WHERE schemaname = current_schema() AND to_regclass('_prisma_migrations') IS NULL`,
  );
  if (rows.length > 0) throw new DatabaseError('the database has other tables: use an empty one');
  await db.query(createHistory);
  for (const name of missing) {
    await applyMigration(db, name, name === missing.at(-1));
    // Before the next one gives a new table its foreign keys, which Citus allows between distributed tables only.
    if (spread) distributed.push(...(await distribute(db)));
  }
  return { applied: [...missing, functionsFile], distributed };
}

/** Applies a migration and records it as `prisma migrate deploy` does. With the last one the functions: they may need its columns at once. */
async function applyMigration(db: Queryable, name: string, isLast: boolean): Promise<void> {
  const script = await readMigration(name);
  const id = randomUUID();
  const insert = 'INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)';
  await db.query(insert, [id, digestOf(script), name]);
  try {
    await allOrNone(db, async () => {
      await runScript(db, script);
      if (isLast) await replaceFunctions(db);
    });
  } catch (error) {
    // If this fails too, the first error says more.
    await db.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(error)]).catch(() => undefined);
    throw new DatabaseError(`migration ${name} failed, ${firstLine(error)}: ${afterFailure}`);
  }
  await db.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id]);
}

async function replaceFunctions(db: Queryable): Promise<void> {
  const script = await readFunctions();
  await runScript(db, script);
  const remember = `INSERT INTO service_state (name, value) VALUES ('functions', to_jsonb($1::text))
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await db.query(remember, [digestOf(script)]);
}

/** One statement at a time: of a script that is sent whole, Citus sends all statements to the other nodes with each of them. */
async function runScript(db: Queryable, script: string): Promise<void> {
  for (const statement of splitStatements(script)) await db.query(statement);
}
