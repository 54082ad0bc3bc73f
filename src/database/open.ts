import type pg from 'pg';
import { type Embedded, type Opened, openEmbedded } from './embedded.ts';
import { StoreError, unusable } from './open-error.ts';
import type { Db, Rows } from './open-pool.ts';
import { admissionPoolSize, type PoolSettings, pagesPoolSize, poolDefaults } from './pool-settings.ts';

export { StoreError } from './open-error.ts';
export type { Db, Rows } from './open-pool.ts';

/** The connections of a store, by who waits for them: a pool that is slow or used up delays no other. */
export interface Pools {
  /** What every request waits for: its credential, request limits, maintenance. No list and no page. */
  readonly admission: pg.Pool;
  /** The operations of the API, and all that is written off a request's path. */
  readonly operations: pg.Pool;
  readonly pages: pg.Pool;
}

export interface Store {
  /** Over `pools.operations`. */
  readonly db: Db;
  readonly admission: Rows;
  readonly pages: Db;
  readonly pools: Pools;
  readonly kind: 'embedded' | 'server';
  /** Resolves if the embedded database dies while the store is open; a server's connections come back by themselves. */
  readonly lost: Promise<Error>;
  /** Ends the connections and, where it is ours, the embedded database. May be called again. */
  close(): Promise<void>;
}

export interface StoreSettings extends Partial<PoolSettings> {
  readonly databaseUrl?: string | undefined;
  /** Used without a databaseUrl; `:memory:` keeps nothing. */
  readonly dataDir: string;
  /** Connect to the process that serves dataDir, if there is one, instead of refusing. */
  readonly join?: boolean;
}

const serverVersionMin = 150_000;
const never = new Promise<never>(() => undefined);
const rejected = (error: Error): Promise<never> => Promise.reject(error);

/** A database whose embedded server, where it has one, is starting in its thread. */
interface Begun {
  open(): Promise<Store>;
}

/**
 * Claims the folder and starts the embedded database before anything else is loaded, because that takes longest; a server's is left
 * alone until it is opened. Throws a StoreError where the folder is in use.
 */
export async function beginStore(settings: StoreSettings): Promise<Begun> {
  const { databaseUrl, dataDir, join = false, ...pool } = settings;
  const poolSettings = { ...poolDefaults, ...pool };
  if (databaseUrl) return { open: () => openServer(databaseUrl, poolSettings) };
  const opened = await openEmbedded(dataDir, join);
  const starting = opened.kind === 'mine' ? opened.start() : undefined;
  // Whoever opens it hears of a failure.
  starting?.catch(() => undefined);
  return { open: () => openFolder(opened, starting, poolSettings) };
}

/**
 * Opens the database: PostgreSQL where there is a databaseUrl, else the embedded one, migrated and with its reference data. Throws a
 * StoreError where the folder is in use, the server cannot be reached, or its schema is not this version's.
 */
export const openStore = async (settings: StoreSettings): Promise<Store> => (await beginStore(settings)).open();

async function openServer(databaseUrl: string, settings: PoolSettings): Promise<Store> {
  const { serverPool } = await import('./open-pool.ts');
  const opened = await over((poolSize) => serverPool(databaseUrl, { ...settings, poolSize }), settings, true);
  try {
    await Promise.all([requireServer(opened.pools.operations), opened.db.$connect()]);
  } catch (error) {
    await endPools(opened.pools);
    throw unusable(error);
  }
  return { ...opened, kind: 'server', lost: never, close: closing(opened, async () => undefined) };
}

async function requireServer(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  if (!rows[0] || rows[0].version < serverVersionMin)
    throw new StoreError('the database must be PostgreSQL 15 or newer');
  const { requireCurrent } = await import('./migrations.ts');
  await requireCurrent(pool);
}

async function openFolder(
  folder: Opened,
  starting: Promise<Embedded> | undefined,
  settings: PoolSettings,
): Promise<Store> {
  const { embeddedPool } = await import('./open-pool.ts');
  const { migrateEmbedded, requireCurrent } = await import('./migrations.ts');
  const opened = await over((poolSize) => embeddedPool(folder.connection, { ...settings, poolSize }), settings, false);
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
  const close = closing(opened, async () => embedded?.close());
  return { ...opened, kind: 'embedded', lost: embedded?.lost ?? never, close };
}

type Connections = Pick<Store, 'db' | 'admission' | 'pages' | 'pools'>;

/** Pools connect with their first statement: one that is not used costs nothing. */
async function over(
  open: (poolSize: number) => pg.Pool,
  { poolSize }: PoolSettings,
  namedStatements: boolean,
): Promise<Connections> {
  const { prismaOver, rowsOver } = await import('./open-pool.ts');
  const pools = { admission: open(admissionPoolSize), operations: open(poolSize), pages: open(pagesPoolSize) };
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

/** Closes once, however often it is called. */
function closing({ db, pages, pools }: Connections, closeDatabase: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([db.$disconnect(), pages.$disconnect()]);
    await endPools(pools);
    await closeDatabase();
  };
  return () => {
    closed ??= close();
    return closed;
  };
}
