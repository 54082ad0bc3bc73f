import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { distribute, findUndistributed, prepareMigrations, type SpreadTable } from './citus/distribute.ts';
import { DatabaseError, firstLine, isUnavailable } from './database-errors.ts';
import {
  functionsFile,
  functionsIn,
  listMigrations,
  listUsedNames,
  readFunctions,
  readMigration,
  referenceSeed,
} from './prisma-folder.ts';
import { correctSettings, forLongWork } from './server-settings.ts';
import { splitStatements } from './split-statements.ts';
import { allOrNone } from './transaction.ts';
import { unusable } from './unusable.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export type SchemaState =
  /** `newer` are migrations of later versions. The next version's migrations remove nothing that this version uses (prisma/README.md). */
  | { kind: 'current'; newer: string[] }
  | { kind: 'behind'; missing: string[]; newer: string[] }
  /** All migrations are applied, but something is missing. `problem` is a sentence, `fix` what to do. */
  | { kind: 'incomplete'; problem: string; fix: string; newer: string[] }
  /** No schema can be used. */
  | { kind: 'nowhere'; problem: string; fix: string; newer: string[] };

const undefinedTable = '42P01';
const insufficientPrivilege = '42501';

/** Creates the table in which Prisma records migrations. */
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

/**
 * Compares the database's migrations and functions with this version's, and looks for what was removed or renamed since. With nodes, also
 * finds tables that are not distributed.
 */
export async function readSchemaState(db: Queryable, names?: readonly string[]): Promise<SchemaState> {
  const { rows } = await db.query<{ path: string | null }>(
    `SELECT current_setting('search_path') AS path WHERE current_schema() IS NULL`,
  );
  const [nowhere] = rows;
  if (nowhere) {
    const problem = `none of the schemas in search_path (${nowhere.path}) exists, or the role may not use them`;
    return { kind: 'nowhere', problem, fix: 'correct search_path of the database and the role', newer: [] };
  }
  const [known, applied] = await Promise.all([names ?? listMigrations(), readApplied(db)]);
  const missing = known.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !known.includes(name));
  if (missing.length > 0) return { kind: 'behind', missing, newer };
  const problem = await findUndistributed(db);
  if (problem) return { kind: 'incomplete', problem, fix: 'run npm run migrate', newer };
  const functions = await findFunctions(db);
  // A later version may have dropped what this one still has, but no longer uses.
  const lacking = newer.length > 0 ? undefined : await findLacking(db);
  if (lacking) {
    const fix = 'undo what removed or renamed it, or restore a backup';
    return { kind: 'incomplete', problem: `the database lacks ${lacking}`, fix, newer };
  }
  return functions.known && (newer.length > 0 || functions.exist)
    ? { kind: 'current', newer }
    : { kind: 'behind', missing: [functionsFile], newer };
}

/** Names something of schema.prisma that the database does not have. */
async function findLacking(db: Queryable): Promise<string | undefined> {
  const { tables, types, columns, sequences } = await listUsedNames();
  const { rows } = await db.query<{ lacking: string }>(
    `SELECT 'the table ' || name AS lacking FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL
      UNION ALL
     SELECT 'the type ' || name FROM unnest($2::text[]) AS name WHERE to_regtype(name) IS NULL
      UNION ALL
     SELECT 'the column ' || name FROM unnest($3::text[]) AS name
      WHERE NOT EXISTS (SELECT FROM pg_attribute WHERE NOT attisdropped AND attrelid = to_regclass(split_part(name, '.', 1))
                                                   AND attname = split_part(name, '.', 2))
      UNION ALL
     SELECT 'the sequence ' || name FROM unnest($4::text[]) AS name WHERE to_regclass(name) IS NULL
      LIMIT 1`,
    [tables, types, columns, sequences],
  );
  return rows[0]?.lacking;
}

/** Lists the applied migrations. Skips unfinished rows: an old version wrote a row before the migration, and kept it if the migration failed. */
export async function readApplied(db: Queryable): Promise<string[]> {
  try {
    const { rows } = await db.query<{ name: string }>(
      `SELECT migration_name AS name FROM _prisma_migrations
        WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at`,
    );
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return [];
    throw error;
  }
}

/**
 * Whether this version's functions were ever applied, whether they were applied last, and whether all exist. This version can call a later
 * version's functions.
 */
async function findFunctions(db: Queryable): Promise<Record<'known' | 'latest' | 'exist', boolean>> {
  const script = await readFunctions();
  const { rows } = await db.query<Record<'known' | 'latest' | 'exist', boolean>>(
    `SELECT value ? $1 AS known, value -> -1 = to_jsonb($1::text) AS latest,
            NOT EXISTS (SELECT FROM unnest($2::text[]) AS name
                         WHERE NOT EXISTS (SELECT FROM pg_proc WHERE proname = name AND pg_function_is_visible(oid))) AS exist
       FROM service_state WHERE name = 'functions'`,
    [digestOf(script), functionsIn(script)],
  );
  return rows[0] ?? { known: false, latest: false, exist: false };
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Throws a DatabaseError if the server is too old, or the database has another encoding than UTF8. */
export async function requireServer(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ isOld: boolean; encoding: string }>(
    `SELECT current_setting('server_version_num')::int < 150000 AS "isOld", current_setting('server_encoding') AS encoding`,
  );
  const { isOld, encoding } = rows[0] ?? {};
  if (isOld) throw new DatabaseError('the database must be PostgreSQL 15 or newer');
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `the database's encoding is ${encoding}: create it again with ENCODING UTF8 TEMPLATE template0`,
    );
}

/** Throws a DatabaseError unless the database has all that this version's migrations and functions made and, with nodes, is distributed. */
export async function requireCurrent(db: Queryable, fix = 'run npm run migrate'): Promise<void> {
  const state = await readSchemaState(db);
  if (state.kind === 'behind') throw new DatabaseError(`the database lacks migration ${state.missing[0]}: ${fix}`);
  if (state.kind !== 'current') throw new DatabaseError(`${state.problem}: ${state.fix}`);
}

/** The audit trail, to which the service only adds. */
const appendedTo = 'audit_entries';

/** The rights that only the owner has, by table: no other role changes the audit trail or the record of migrations. */
const ofOwner = { [appendedTo]: 'UPDATE, DELETE, TRUNCATE', _prisma_migrations: 'INSERT, UPDATE, DELETE, TRUNCATE' };

/** Lists the owner's rights that the role has although it is not the owner, also as a member, as in `DELETE ON audit_entries`. */
export async function findSurplus(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ surplus: string }>(
    `SELECT own || ' ON ' || name AS surplus FROM unnest($1::text[], $2::text[]) AS of_owner (name, rights)
       JOIN pg_class ON oid = to_regclass(name), string_to_table(rights, ', ') AS own
      WHERE relowner <> current_user::regrole AND current_setting('is_superuser') = 'off'
        AND CASE WHEN own IN ('INSERT', 'UPDATE') THEN has_any_column_privilege(oid, own) ELSE has_table_privilege(oid, own) END`,
    [Object.keys(ofOwner), Object.values(ofOwner)],
  );
  return rows.map(({ surplus }) => surplus);
}

/** Says what the service does and its role may not do, as in `use the sequence jobs_id_seq`. */
export async function findForbidden(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ forbidden: string }>(
    `WITH tables AS (SELECT name, to_regclass(name) AS id FROM unnest($1::text[]) AS name)
     SELECT 'read and write the table ' || name AS forbidden FROM tables
      WHERE NOT (has_table_privilege(id, 'SELECT') AND has_table_privilege(id, 'INSERT')
                 AND (name = $2 OR has_table_privilege(id, 'UPDATE') AND has_table_privilege(id, 'DELETE')))
      UNION ALL
     SELECT 'read all rows of the table ' || name || ' (row-level security)' FROM tables WHERE row_security_active(id)
      UNION ALL
     SELECT 'use the sequence ' || name FROM unnest($3::text[]) AS name
      WHERE NOT has_sequence_privilege(to_regclass(name), 'USAGE, UPDATE')
      UNION ALL
     -- The functions of generated columns run with the rights of the role that writes the row.
     SELECT 'execute the function ' || proname FROM pg_proc
      WHERE NOT has_function_privilege(oid, 'EXECUTE')
        AND (proname = ANY ($4) AND pg_function_is_visible(oid)
             OR oid IN (SELECT refobjid FROM tables JOIN pg_attrdef ON adrelid = id JOIN pg_depend ON objid = pg_attrdef.oid
                         WHERE classid = 'pg_attrdef'::regclass AND refclassid = 'pg_proc'::regclass))
      LIMIT 1`,
    await Promise.all([listUsedNames(), readFunctions()]).then(([{ tables, sequences }, script]) => [
      tables,
      appendedTo,
      sequences,
      functionsIn(script),
    ]),
  );
  return rows[0]?.forbidden;
}

/** Migrates and seeds the embedded database. Applies this version's migrations, or `names`. Returns the names of those that were missing. */
export const migrateEmbedded = (connection: pg.ClientConfig, names?: readonly string[]): Promise<string[]> =>
  withLock(connection, async (client) => {
    const { applied } = await applyMissing(client, names);
    await client.query(...(await referenceSeed({ again: false })));
    return applied;
  });

interface Migrated {
  readonly applied: string[];
  /** With nodes, the tables that were distributed. */
  readonly distributed: SpreadTable[];
}

/**
 * Migrates, distributes and seeds a server's database, one process at a time. Does not use Prisma's command, which downloads an
 * engine and cannot distribute a table over the nodes before the next migration.
 */
export function migrateServer(databaseUrl: string): Promise<Migrated> {
  const connection = { connectionString: databaseUrl, application_name: 'vaga migrate' };
  return withLock({ ...connection, connectionTimeoutMillis: 10_000 }, async (client) => {
    await requireServer(client);
    const { applied, distributed } = await applyMissing(client);
    distributed.push(...(await distribute(client)));
    await client.query(...(await referenceSeed({ again: true })));
    await client.query(protectRecords);
    return { applied, distributed };
  });
}

/** Revokes from every other role the rights that only the owner has. */
const protectRecords = `DO $$
  DECLARE other text;
  BEGIN
    FOR other IN
      WITH lists AS (
        SELECT oid, relowner, relacl AS acl FROM pg_class
         UNION ALL
        SELECT attrelid, relowner, attacl FROM pg_attribute JOIN pg_class c ON c.oid = attrelid)
      SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END FROM lists, aclexplode(acl)
       WHERE oid = ANY ('{${Object.keys(ofOwner)}}'::regclass[]) AND grantee <> relowner
    LOOP
      ${Object.entries(ofOwner)
        .map(([table, rights]) => `EXECUTE format('REVOKE ${rights} ON ${table} FROM %s', other);`)
        .join('\n      ')}
    END LOOP;
  END $$`;

/** Runs `work` on a connection that holds the lock of `prisma migrate`. The lock ends with the connection, even if the process dies. */
export async function withLock<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect().catch((error) => Promise.reject(unusable(error)));
  try {
    // Migrations are written for standard strings.
    await client.query(`${forLongWork()}; SET standard_conforming_strings = on`);
    await correctSettings(client);
    await client.query('SELECT pg_advisory_lock(72707369)');
    return await work(client);
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && error.code === insufficientPrivilege;
    if (isRefused)
      throw new DatabaseError(`${firstLine(error)}: migrate with the role that owns the database's schema`);
    throw isUnavailable(error) ? unusable(error) : error;
  } finally {
    await client.end();
  }
}

async function applyMissing(db: Queryable, names?: readonly string[]): Promise<Migrated> {
  const distributed: SpreadTable[] = [];
  const state = await readSchemaState(db, names);
  // Without a schema, there is nowhere to migrate.
  if (state.kind === 'nowhere') throw new DatabaseError(`${state.problem}: ${state.fix}`);
  const { missing: lacking, newer } = { missing: [], ...state };
  const missing = lacking.filter((name) => name !== functionsFile);
  if (lacking.length > 0 && newer.length > 0)
    throw new DatabaseError(
      `the database lacks ${lacking[0]} and has migration ${newer[0]}, which this version does not know`,
    );
  const isDistributed = await prepareMigrations(db);
  if (missing.length === 0) {
    // Keep a later version's functions: they need that version's columns, and work for this version too.
    const { latest, exist } = await findFunctions(db);
    if (newer.length > 0 || (latest && exist)) return { applied: [], distributed };
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
  await db.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  for (const name of missing) {
    await applyMigration(db, name, name === missing.at(-1));
    // Distribute before the next migration adds foreign keys: nodes refuse keys between a distributed and an undistributed table.
    if (isDistributed) distributed.push(...(await distribute(db)));
  }
  return { applied: [...missing, functionsFile], distributed };
}

/**
 * Applies a migration and records it as `prisma migrate deploy` does, in one transaction: a killed or failed migration leaves nothing
 * behind. The functions are replaced together with the last migration, whose columns they may need.
 */
async function applyMigration(db: Queryable, name: string, isLast: boolean): Promise<void> {
  const script = await readMigration(name);
  try {
    await allOrNone(db, async () => {
      await runScript(db, script);
      if (isLast) await replaceFunctions(db);
      await recordMigration(db, name, script);
    });
  } catch (error) {
    throw new DatabaseError(`migration ${name} failed and left nothing behind, ${firstLine(error)}`);
  }
}

/** Records a migration as applied. */
export async function recordMigration(db: Queryable, name: string, script: string): Promise<void> {
  await db.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), digestOf(script), name],
  );
}

/** Replaces the functions, and appends their script's digest to the stored digests. An earlier version stored one digest, as a string. */
async function replaceFunctions(db: Queryable): Promise<void> {
  const script = await readFunctions();
  await runScript(db, script);
  const remember = `INSERT INTO service_state AS state (name, value) VALUES ('functions', jsonb_build_array($1::text))
                    ON CONFLICT (name) DO UPDATE SET value = state.value || excluded.value`;
  await db.query(remember, [digestOf(script)]);
}

/** Sends one statement at a time: given a whole script, a coordinator would send all of it to its nodes with each statement. */
export async function runScript(db: Queryable, script: string): Promise<void> {
  for (const statement of splitStatements(script)) await db.query(statement);
}
