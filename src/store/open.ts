import type pg from 'pg';
import { type Embedded, type Opened, openEmbedded } from './embedded.ts';
import { StoreError, unusable } from './open-error.ts';
import type { Db } from './open-pool.ts';
import { type PoolSettings, poolDefaults } from './pool-settings.ts';

export { StoreError } from './open-error.ts';
export type { Db } from './open-pool.ts';

export interface Store {
  readonly db: Db;
  /** The connections under `db`. */
  readonly pool: pg.Pool;
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
  const { prismaOver, serverPool } = await import('./open-pool.ts');
  const pool = serverPool(databaseUrl, settings);
  const db = prismaOver(pool, { namedStatements: true });
  try {
    await Promise.all([requireServer(pool), db.$connect()]);
  } catch (error) {
    await pool.end();
    throw unusable(error);
  }
  return store('server', db, pool, never, async () => undefined);
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
  opened: Opened,
  starting: Promise<Embedded> | undefined,
  settings: PoolSettings,
): Promise<Store> {
  const { embeddedPool, prismaOver } = await import('./open-pool.ts');
  const { migrateEmbedded, requireCurrent } = await import('./migrations.ts');
  const pool = embeddedPool(opened.connection, settings);
  const db = prismaOver(pool, { namedStatements: false });
  let embedded: Embedded | undefined;
  try {
    // Prisma loads its query compiler while the worker loads PostgreSQL; it connects with the first query.
    [embedded] = await Promise.all([starting, db.$connect()]);
    if (embedded) await migrateEmbedded(opened.connection, pool);
    else await requireCurrent(pool);
    await embedded?.keep();
  } catch (error) {
    await pool.end();
    await embedded?.close();
    throw error;
  }
  return store('embedded', db, pool, embedded?.lost ?? never, async () => embedded?.close());
}

function store(
  kind: Store['kind'],
  db: Db,
  pool: pg.Pool,
  lost: Promise<Error>,
  closeDatabase: () => Promise<void>,
): Store {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await db.$disconnect();
    await pool.end();
    await closeDatabase();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  return { db, pool, kind, lost, close: closeOnce };
}
