import type pg from 'pg';
import { type Embedded, type Opened, openEmbedded } from './embedded.ts';
import { DatabaseError, unusable } from './errors.ts';
import type { Db, PoolSettings, Rows } from './pool.ts';

export { DatabaseError } from './errors.ts';
export type { Db, PoolSettings, Rows } from './pool.ts';

export const poolDefaults: PoolSettings = {
  poolSize: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 5000,
  idleInTransactionTimeoutMs: 15_000,
};

/** Sizes that `poolSize` does not change. */
const admissionPoolSize = 4;
const pagesPoolSize = 4;

/** One pool per kind of work, so that a slow or exhausted pool delays no other. */
export interface Pools {
  /** For checks that every request makes: credential, request limits, maintenance. */
  readonly admission: pg.Pool;
  /** For the API's operations and background writes. */
  readonly operations: pg.Pool;
  readonly pages: pg.Pool;
}

export interface Database {
  /** Over `pools.operations`. */
  readonly db: Db;
  readonly admission: Rows;
  readonly pages: Db;
  readonly pools: Pools;
  readonly kind: 'embedded' | 'server';
  /** Resolves if the embedded database dies while it is open. Connections to a server recover by themselves. */
  readonly lost: Promise<Error>;
  /** Ends the connections and, if this process serves it, the embedded database. Idempotent. */
  close(): Promise<void>;
}

export interface DatabaseSettings extends Partial<PoolSettings> {
  readonly databaseUrl?: string | undefined;
  /** Used without a databaseUrl; `:memory:` keeps nothing. */
  readonly dataDir: string;
  /** Connect to the process that serves dataDir, if there is one, instead of refusing. */
  readonly join?: boolean;
}

const serverVersionMin = 150_000;
const never = new Promise<never>(() => undefined);
const rejected = (error: Error): Promise<never> => Promise.reject(error);

interface StartedDatabase {
  open(): Promise<Database>;
}

/**
 * Claims the folder and starts the embedded database in its thread, so that it loads while the caller imports the rest of the
 * program. Does nothing for a server. Throws a DatabaseError if the folder is in use.
 */
export async function startDatabase(settings: DatabaseSettings): Promise<StartedDatabase> {
  const { databaseUrl, dataDir, join = false, ...pool } = settings;
  const poolSettings = { ...poolDefaults, ...pool };
  if (databaseUrl) return { open: () => openServer(databaseUrl, poolSettings) };
  const opened = await openEmbedded(dataDir, join);
  const starting = opened.kind === 'mine' ? opened.start() : undefined;
  // `open` reports a failure.
  starting?.catch(() => undefined);
  return { open: () => openFolder(opened, starting, poolSettings) };
}

/**
 * Opens PostgreSQL at `databaseUrl`, or the embedded database, migrated and with its reference data. Throws a DatabaseError if the
 * folder is in use, the server cannot be reached, or its schema is not this version's.
 */
export const openDatabase = async (settings: DatabaseSettings): Promise<Database> =>
  (await startDatabase(settings)).open();

async function openServer(databaseUrl: string, settings: PoolSettings): Promise<Database> {
  const { serverPool } = await import('./pool.ts');
  const opened = await connect((poolSize) => serverPool(databaseUrl, { ...settings, poolSize }), settings, true);
  try {
    await Promise.all([requireServer(opened.pools.operations), opened.db.$connect()]);
  } catch (error) {
    await endPools(opened.pools);
    throw unusable(error);
  }
  return { ...opened, kind: 'server', lost: never, close: closeOnce(opened, async () => undefined) };
}

async function requireServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if (!rows[0] || rows[0].version < serverVersionMin)
    throw new DatabaseError('the database must be PostgreSQL 15 or newer');
  const { requireCurrent } = await import('./migrations.ts');
  await requireCurrent(pool);
}

async function openFolder(
  folder: Opened,
  starting: Promise<Embedded> | undefined,
  settings: PoolSettings,
): Promise<Database> {
  const { embeddedPool } = await import('./pool.ts');
  const { migrateEmbedded, requireCurrent } = await import('./migrations.ts');
  const opened = await connect(
    (poolSize) => embeddedPool(folder.connection, { ...settings, poolSize }),
    settings,
    false,
  );
  const { operations } = opened.pools;
  let embedded: Embedded | undefined;
  try {
    // Prisma loads its query compiler while the worker loads PostgreSQL; it connects with the first query.
    [embedded] = await Promise.all([starting, opened.db.$connect()]);
    if (embedded) await Promise.race([migrateEmbedded(folder.connection), embedded.lost.then(rejected)]);
    else await requireCurrent(operations);
    await embedded?.keep();
  } catch (error) {
    await endPools(opened.pools);
    await embedded?.close();
    throw error;
  }
  const close = closeOnce(opened, async () => embedded?.close());
  return { ...opened, kind: 'embedded', lost: embedded?.lost ?? never, close };
}

type Connections = Pick<Database, 'db' | 'admission' | 'pages' | 'pools'>;

/** Pools connect with their first query; an unused one costs nothing. */
async function connect(
  openPool: (poolSize: number) => pg.Pool,
  { poolSize }: PoolSettings,
  namedStatements: boolean,
): Promise<Connections> {
  const { prismaOver, rowsOver } = await import('./pool.ts');
  const pools = {
    admission: openPool(admissionPoolSize),
    operations: openPool(poolSize),
    pages: openPool(pagesPoolSize),
  };
  const naming = { namedStatements };
  return {
    db: prismaOver(pools.operations, naming),
    admission: rowsOver(pools.admission, naming),
    pages: prismaOver(pools.pages, naming),
    pools,
  };
}

async function endPools({ admission, operations, pages }: Pools): Promise<void> {
  await Promise.all([admission.end(), operations.end(), pages.end()]);
}

function closeOnce({ db, pages, pools }: Connections, closeEmbedded: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([db.$disconnect(), pages.$disconnect()]);
    await endPools(pools);
    await closeEmbedded();
  };
  return () => {
    closed ??= close();
    return closed;
  };
}
