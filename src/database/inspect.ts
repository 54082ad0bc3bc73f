import type pg from 'pg';
import { countNodes, hasNodes } from './citus/citus.ts';
import { DatabaseError, firstLine } from './database-errors.ts';
import { connectionTo } from './embedded.ts';
import { answers, socketFolderIn, socketPathIn } from './embedded-lock.ts';
import { findForbidden, findSurplus, readSchemaState, type SchemaState } from './migrations.ts';
import type { PoolSettings } from './open.ts';
import { findLostSettings, requireNamedStatements } from './pooler.ts';
import { readRestoredCheck } from './prisma-folder.ts';
import { findFaultyParts } from './schema-parts.ts';
import { findWrongSettings, forLongWork, serverSettings, type WrongSetting } from './server-settings.ts';

/** A limit of the connections that the role of the service may open. */
interface ConnectionLimit {
  readonly of: 'server' | 'database' | 'role';
  readonly max: number;
  /** How many of these other programs have. */
  readonly taken: number;
  /** How many of the service's processes are connected. */
  readonly processes: number;
}

/** What a database says about itself. */
export interface DatabaseFacts {
  /** How far the database's clock is ahead of this machine's. `uncertainMs` is the possible error: half the time that the query took. */
  readonly aheadMs: number;
  readonly uncertainMs: number;
  readonly version: string;
  /** Such as 150020. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** Whether lower() changes letters beyond ASCII. False with LC_CTYPE C. */
  readonly foldsLetters: boolean;
  readonly isReadOnly: boolean;
  readonly isSuperuser: boolean;
  readonly wrongSettings: readonly WrongSetting[];
  readonly connectionLimits: readonly ConnectionLimit[];
  /** How many nodes hold rows, not counting the inspected server. */
  readonly nodes: number;
  /** Whether the role has the rights of the tables' owner. */
  readonly isOwner: boolean;
  /** The inspection's `instants` in its `timeZone`, as YYYY-MM-DD HH:MM:SS. Undefined if the database does not know the zone. */
  readonly localTimes: readonly string[] | undefined;
  readonly schema: SchemaState;
  /** What `findFaultyParts` returns. Undefined unless the schema is current and of this version. */
  readonly faultyParts: readonly string[] | 'unlisted' | undefined;
  /** What `findForbidden` returns. */
  readonly forbidden: string | undefined;
  /** What `findSurplus` returns. */
  readonly surplus: readonly string[];
  /** Why named statements do not work, and what `findLostSettings` returns. Both are empty for the embedded database. */
  readonly statementFault: string | undefined;
  readonly lostSettings: readonly string[];
  /** The stored times of maintenance, as JSON has them. Undefined while the service is open, or unless the schema is current. */
  readonly maintenance: { readonly since?: string; readonly until?: string } | undefined;
  /** What `missingIn` returns, or the message of its error. Undefined unless `isRestored` is set and the schema is current. */
  readonly missing: readonly string[] | string | undefined;
}

export interface Inspection {
  readonly timeZone: string;
  readonly instants: readonly Date[];
  readonly isRestored: boolean;
  /** The service's settings of connections to a server. Undefined for the embedded database. */
  readonly server: PoolSettings | undefined;
}

/**
 * Reads the facts, and changes nothing. Ends the pool, which must be one like the service's, of two connections for a server. Throws pg's
 * error if the database cannot be reached.
 */
export async function inspectDatabase(pool: pg.Pool, inspection: Inspection): Promise<DatabaseFacts> {
  try {
    return await factsOf(pool, inspection);
  } finally {
    await pool.end();
  }
}

/** Lists the faults that show an incomplete copy. Reads whole tables, so the connection needs `forLongWork`. */
export async function missingIn(client: pg.ClientBase): Promise<string[]> {
  const read = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
    const asked = { text, query_timeout: 2_147_483_647 };
    return (await client.query<Row>(asked)).rows;
  };
  const [latest] = await read<{ query: string }>(await readRestoredCheck('latest-ids.sql'));
  const problems: string[] = [];
  const checks = [
    'restored.sql',
    'restored-sequences.sql',
    ...((await hasNodes(client)) ? ['restored-workers.sql'] : []),
  ];
  for (const file of checks) {
    const text = (await readRestoredCheck(file)).replace('(:latest_ids)', () => `(${latest?.query})`);
    problems.push(...(await read<{ problem: string }>(text)).map(({ problem }) => problem));
  }
  return problems;
}

type Settings = Omit<
  DatabaseFacts,
  | ('aheadMs' | 'uncertainMs' | 'connectionLimits' | 'nodes' | 'localTimes' | 'schema' | 'wrongSettings')
  | ('faultyParts' | 'forbidden' | 'surplus' | 'statementFault' | 'lostSettings' | 'maintenance' | 'missing')
>;

async function factsOf(pool: pg.Pool, inspection: Inspection): Promise<DatabaseFacts> {
  const { timeZone, instants, isRestored, server } = inspection;
  // The time of the query must not contain that of the sign-in.
  await pool.query('SELECT');
  const before = Date.now();
  const { rows } = await pool.query<{ ms: number; settings: Settings }>(`
    SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms, to_jsonb(own) AS settings
      FROM (SELECT current_setting('server_version') AS version,
                   current_setting('server_version_num')::int AS "versionNumber",
                   current_setting('server_encoding') AS encoding,
                   -- Omega, which only UTF8 can hold.
                   (SELECT lower(letter) <> letter
                      FROM chr(CASE current_setting('server_encoding') WHEN 'UTF8' THEN 937 ELSE 65 END) AS letter) AS "foldsLetters",
                   current_setting('transaction_read_only') = 'on' AS "isReadOnly",
                   current_setting('is_superuser') = 'on' AS "isSuperuser",
                   coalesce((SELECT relowner = current_user::regrole FROM pg_class WHERE oid = to_regclass('_prisma_migrations')), false) AS "isOwner"
           ) AS own`);
  const after = Date.now();
  const [first] = rows;
  if (!first) throw new Error('no answer');
  const schema = await readSchemaState(pool);
  // A later version's migrations may have replaced what this version's made.
  const isOwn = schema.kind === 'current' && schema.newer.length === 0;
  const nodes = await countNodes(pool);
  return {
    ...first.settings,
    aheadMs: first.ms - (before + after) / 2,
    uncertainMs: (after - before) / 2,
    connectionLimits: await readLimits(pool),
    nodes,
    wrongSettings: await findWrongSettings(pool),
    localTimes: await localTimes(pool, timeZone, instants),
    schema,
    faultyParts: isOwn ? await findFaultyParts(pool) : undefined,
    forbidden: await findForbidden(pool),
    surplus: await findSurplus(pool),
    statementFault: server && (await requireNamedStatements(pool).then(() => undefined, faultOf)),
    lostSettings: server ? await findLostSettings(pool, askedSettings(server, nodes)) : [],
    maintenance: schema.kind === 'current' ? await readMaintenance(pool) : undefined,
    missing: isRestored && schema.kind === 'current' ? await missingOver(pool).catch(firstLine) : undefined,
  };
}

/** Processes of another installation on the server count only against the server's limit. */
async function readLimits(pool: pg.Pool): Promise<ConnectionLimit[]> {
  const { rows } = await pool.query<ConnectionLimit>(`
    WITH clients AS (
      SELECT datid, usesysid, application_name ~ '^vaga [0-9]+$' AS serves, application_name ~ '^vaga' AS "isOurs",
             coalesce(client_addr::text, '') || ' ' || application_name AS process
        FROM pg_stat_activity WHERE usesysid IS NOT NULL),
    limits (of, max, database, role) AS (
      SELECT 'server', current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
               - coalesce(current_setting('reserved_connections', true), '0')::int, NULL::oid, NULL::oid
       UNION ALL
      SELECT 'database', datconnlimit, oid, NULL FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
       UNION ALL
      SELECT 'role', rolconnlimit, NULL, oid FROM pg_roles WHERE rolname = session_user AND rolconnlimit >= 0)
    SELECT of, max, (count(*) FILTER (WHERE "isOurs" IS FALSE))::int AS taken,
           (count(DISTINCT process) FILTER (WHERE serves))::int AS processes
      FROM limits LEFT JOIN clients ON (database IS NULL OR datid = database) AND (role IS NULL OR usesysid = role)
     GROUP BY 1, 2`);
  return rows;
}

async function readMaintenance(pool: pg.Pool): Promise<DatabaseFacts['maintenance']> {
  const { rows } = await pool.query(`SELECT value FROM service_state WHERE name = 'maintenance'`);
  return rows[0]?.value;
}

/** With nodes, the service plans otherwise than `serverPool` does by itself. */
function askedSettings(server: PoolSettings, nodes: number) {
  const { plan_cache_mode, ...others } = serverSettings(server);
  return nodes > 0 ? others : { ...others, plan_cache_mode };
}

function faultOf(error: unknown): string {
  if (error instanceof DatabaseError) return error.message;
  throw error;
}

/** In a transaction, because a pooler may give the connection's settings to the service afterwards. */
async function missingOver(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(forLongWork('transaction'));
    const missing = await missingIn(client);
    await client.query('ROLLBACK');
    return missing;
  } finally {
    client.release(true);
  }
}

const invalidParameter = '22023';

async function localTimes(pool: pg.Pool, timeZone: string, instants: readonly Date[]): Promise<string[] | undefined> {
  try {
    const { rows } = await pool.query<{ local: string }>(
      `SELECT to_char(instant AT TIME ZONE $1, 'YYYY-MM-DD HH24:MI:SS') AS local
         FROM unnest($2::timestamptz[]) WITH ORDINALITY AS t (instant, place) ORDER BY place`,
      [timeZone, instants.map((instant) => instant.toISOString())],
    );
    return rows.map(({ local }) => local);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === invalidParameter) return undefined;
    throw error;
  }
}

/** Returns how to connect to the service on the data folder. Undefined without a service. */
export async function findService(dataDir: string): Promise<pg.ClientConfig | undefined> {
  const folder = socketFolderIn(dataDir);
  return (await answers(socketPathIn(folder))) ? connectionTo(folder) : undefined;
}
