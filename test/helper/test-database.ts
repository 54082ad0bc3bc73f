import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable } from '../../src/database/database-errors.ts';
import { migrateServer } from '../../src/database/migrations.ts';
import { type Database, type DatabaseSettings, type Db, openDatabase } from '../../src/database/open.ts';
import { prismaOver, serverPool } from '../../src/database/pool.ts';

/** A busy machine is no fault of the service: where a test is not about a wait, the wait is this long. */
export const patienceMs = 300_000;

/** The server of the tests: Citus (the URL is a database of the coordinator), PostgreSQL, or none. */
export const serverUrl: string | undefined = process.env.CITUS_URL || process.env.DATABASE_URL || undefined;
export const onCitus = Boolean(process.env.CITUS_URL);

/** A database for one purpose, dropped afterwards. */
export interface ServerDatabase {
  readonly url: string;
  /** Creates the extension of Citus, and makes one cluster of the databases on its nodes. */
  join(): Promise<void>;
  drop(): Promise<void>;
}

const localServer = 'postgres://postgres@127.0.0.1:5432/postgres';

/** Creates it on the tests' server or on the PostgreSQL of this machine. Throws one line if no server answers. */
export async function createServerDatabase(prefix = 'vaga_test'): Promise<ServerDatabase> {
  const made = await createPlainDatabase(prefix);
  if (onCitus) await made.join();
  return made;
}

/** The same, without the extension of Citus. */
export async function createPlainDatabase(prefix = 'vaga_test'): Promise<ServerDatabase> {
  const server = serverUrl ?? localServer;
  const name = `${prefix}_${process.pid}_${randomBytes(4).toString('hex')}`;
  const nodes = onCitus ? await citusNodes(server) : [new URL(server)];
  const onNodes = (sql: string) => Promise.all(nodes.map(({ href }) => onServer(href, (client) => client.query(sql))));
  await onNodes(`CREATE DATABASE ${name}`);
  const urls = nodes.map((node) => Object.assign(new URL(node), { pathname: `/${name}` }));
  return {
    url: urls[0]?.href ?? '',
    join: () => joinNodes(urls),
    drop: async () => {
      await onServer(server, (client) => everyoneHasLeft(client, name));
      await onNodes(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Sessions that a pooler keeps open for nobody. Citus' own connections have no client backend, or name it. */
const sessions = `SELECT concat_ws(' ', application_name, state, query) AS session FROM pg_stat_activity
                   WHERE datname = $1 AND backend_type = 'client backend'
                     AND application_name NOT LIKE 'citus%' AND query <> 'DISCARD ALL'`;
/**
 * A pool ends before its connections do. Dropping a database makes a listener on an open connection throw an unhandled error, so this waits
 * for the last session. Throws if one stays.
 */
async function everyoneHasLeft(client: pg.Client, database: string): Promise<void> {
  for (const until = performance.now() + patienceMs; ; await sleep(10)) {
    const { rows } = await client.query<{ session: string }>(sessions, [database]);
    if (rows.length === 0) return;
    if (performance.now() > until)
      throw new Error(`${database} is still in use: ${rows.map(({ session }) => session).join('; ')}`);
  }
}

/** The coordinator, then its workers. */
async function citusNodes(coordinator: string): Promise<URL[]> {
  const { rows } = await onServer(coordinator, (client) =>
    client.query<{ hostname: string; port: number }>(
      `SELECT nodename AS hostname, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
    ),
  );
  return rows.map(({ hostname, port }) => Object.assign(new URL(coordinator), { hostname, port: String(port) }));
}

async function joinNodes([coordinator, ...workers]: readonly URL[]): Promise<void> {
  if (!coordinator) return;
  const nodes = [coordinator, ...workers];
  await Promise.all(nodes.map(({ href }) => onServer(href, (client) => client.query('CREATE EXTENSION citus'))));
  await onServer(coordinator.href, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.hostname, Number(coordinator.port)]);
    for (const { hostname, port } of workers) {
      const add = () => client.query('SELECT citus_add_node($1, $2)', [hostname, Number(port)]);
      // Citus now and then loses its connection to a node that it has just reached; nothing is added then.
      await add().catch((error) => (isUnavailable(error) ? add() : Promise.reject(error)));
    }
  });
}

/** Opens one connection for `use` and closes it. */
export async function onServer<T>(connectionString: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: patienceMs });
  try {
    await client.connect();
  } catch (error) {
    throw new Error('no PostgreSQL answers: set DATABASE_URL, or start one on 127.0.0.1:5432', { cause: error });
  }
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** The service's connections to a database for one test file. */
export interface TestDatabase {
  readonly database: Database;
  /** Undefined on the embedded database. */
  readonly databaseUrl: string | undefined;
  close(): Promise<void>;
}

const patience = {
  connectTimeoutMs: patienceMs,
  statementTimeoutMs: patienceMs,
  idleInTransactionTimeoutMs: patienceMs,
};

/** On a new database of the tests' server, or on the embedded database in memory. */
export async function openTestDatabase(own: Pick<DatabaseSettings, 'statementTimeoutMs'> = {}): Promise<TestDatabase> {
  const timeouts = { ...patience, ...own };
  if (!serverUrl) {
    const database = await openDatabase({ ...timeouts, dataDir: ':memory:' });
    return { database, databaseUrl: undefined, close: () => database.close() };
  }
  const { url, drop } = await createServerDatabase();
  await migrateServer(url);
  const database = await openDatabase({ ...timeouts, databaseUrl: url, dataDir: ':memory:' });
  const close = async (): Promise<void> => {
    await database.close();
    await drop();
  };
  return { database, databaseUrl: url, close };
}

/** A database at an address at which no server answers. */
export function absentDatabase(): Db {
  const timeouts = { connectTimeoutMs: 1000, statementTimeoutMs: 1000, idleInTransactionTimeoutMs: 1000 };
  const pool = serverPool('postgresql://vaga@127.0.0.1:1/vaga', { poolSize: 1, ...timeouts });
  return prismaOver(pool, { namedStatements: true });
}

/** Prisma's table of migrations. */
export const migrationsTable = `CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
  finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count int NOT NULL DEFAULT 0)`;

/** The names of the applied migrations, in their order. */
export const namesIn = async (db: Pick<pg.Pool, 'query'>): Promise<string[]> =>
  (await db.query('SELECT migration_name FROM _prisma_migrations ORDER BY started_at')).rows.map(
    (row) => row.migration_name,
  );

/** Finds who waits for an advisory lock, such as the one that a migration takes. */
export const waitingForLock = `
  SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()
                  WHERE locktype = 'advisory' AND NOT granted`;
