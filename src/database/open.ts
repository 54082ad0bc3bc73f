import type { onNodes } from './citus/citus.ts';
import type { Node, NodeConnections } from './citus/connections-by-node.ts';
import { type Embedded, type Opened, openEmbedded } from './embedded.ts';
import { type Connections, connect, disconnect, endPools } from './open-pools.ts';
import type { Db, PoolSettings } from './pool.ts';
import { unusable } from './unusable.ts';

export { DatabaseError } from './database-errors.ts';
export { type Db, type PoolSettings, type Rows, rowsBy } from './pool.ts';

export const poolDefaults: PoolSettings = {
  poolSize: 10,
  connectTimeoutMs: 3000,
  statementTimeoutMs: 5000,
  idleInTransactionTimeoutMs: 15_000,
};

export interface Database extends Connections {
  /** Returns the connections for one company's statements: those to the company's node or, without nodes, those that all companies share. */
  readonly connectionsFor: (companyId: bigint) => Promise<Pick<Connections, 'db' | 'admission' | 'pages'>>;
  /** `all` lists the nodes that store companies; `missing` those that do not answer or take no writes. Both are empty without nodes. */
  readonly nodes: () => Promise<{ readonly all: readonly number[]; readonly missing: readonly number[] }>;
  readonly kind: 'embedded' | 'server';
  /**
   * Resolves with the error if this process's embedded database dies or hangs while open. Never resolves for a server, to which connections
   * recover by themselves.
   */
  readonly lost: Promise<Error>;
  /** Closes the connections, and the embedded database if this process serves it. Idempotent. */
  close(): Promise<void>;
}

export interface DatabaseSettings extends Partial<PoolSettings> {
  readonly databaseUrl?: string | undefined;
  /** The folder of the embedded database, used without a databaseUrl. `:memory:` stores nothing on disk. */
  readonly dataDir: string;
  /** For a command: if a service serves dataDir, connect to it; otherwise, wait for other commands, and serve nobody. Names no statements. */
  readonly join?: boolean;
}

const never = new Promise<never>(() => undefined);
const rejected = (error: Error): Promise<never> => Promise.reject(error);

/**
 * Locks the folder and starts the embedded database in its thread, so that the database loads while the caller imports the rest of the
 * program. For a server, does nothing until `open` is called. Throws a DatabaseError if the folder is in use or cannot be used.
 */
export async function startDatabase(settings: DatabaseSettings): Promise<{ open: () => Promise<Database> }> {
  const { databaseUrl, dataDir, join = false, ...pool } = settings;
  const poolSettings = { ...poolDefaults, ...pool };
  if (databaseUrl) return { open: () => openServer(databaseUrl, poolSettings, !join) };
  const opened = await openEmbedded(dataDir, join);
  const starting = opened.start?.();
  // A failure is reported by `open`, which awaits the same promise.
  starting?.catch(() => undefined);
  return { open: () => openFolder(opened, starting, poolSettings) };
}

/**
 * Opens PostgreSQL at `databaseUrl` or, without one, the embedded database, which is migrated and seeded with reference data. Throws a
 * DatabaseError if the folder is in use, the server cannot be reached or is too old, or its schema is behind this version.
 */
export const openDatabase = async (settings: DatabaseSettings): Promise<Database> =>
  (await startDatabase(settings)).open();

async function openServer(databaseUrl: string, settings: PoolSettings, namedStatements: boolean): Promise<Database> {
  const [{ serverPool }, { watchServer }] = await Promise.all([import('./pool.ts'), import('./watch-server.ts')]);
  const { planCacheMode, hasNodes, ...options } = await inspectServer(databaseUrl, settings, namedStatements);
  const serverAt = (url: string, watchesNodes = false) => {
    const watch = watchServer(url, watchesNodes);
    const openPool = (poolSize: number) =>
      serverPool(url, { ...settings, poolSize }, { planCacheMode, onConnect: watch.onConnect });
    return { openPool, watch };
  };
  const server = serverAt(databaseUrl, hasNodes);
  const queryOptions = { ...options, namedStatements };
  const opened = await connect(server.openPool, settings, queryOptions);
  try {
    await opened.db.$connect();
  } catch (error) {
    server.watch.stop();
    await endPools(opened.pools);
    throw unusable(error);
  }
  if (!hasNodes) return { ...shared(opened), kind: 'server', lost: never, close: closeOnce(opened, server.watch.stop) };
  // A node's `pages` pool connects to the coordinator, because pages also read tables that only the coordinator has.
  const openNode = async (node: Node): Promise<NodeConnections> => {
    const own = serverAt(urlOf(databaseUrl, node));
    const connections = await connect(own.openPool, settings, queryOptions, server.openPool);
    return { ...connections, close: closeOnce(connections, own.watch.stop) };
  };
  const { ConnectionsByNode } = await import('./citus/connections-by-node.ts');
  const byNode = new ConnectionsByNode(opened, openNode, settings);
  server.watch.onChange = () => void byNode.forget();
  const { connectionsFor, nodes } = byNode;
  const close = closeOnce(opened, async () => {
    server.watch.stop();
    await byNode.forget();
  });
  const spanning = (db: Db): Db => Object.assign(db, { reachable: () => byNode.reachable(db) });
  return {
    ...opened,
    db: spanning(opened.db),
    pages: spanning(opened.pages),
    connectionsFor,
    nodes,
    kind: 'server',
    lost: never,
    close,
  };
}

/** Returns the URL of the same database on a node. */
function urlOf(databaseUrl: string, { host, port }: Node): string {
  const url = new URL(databaseUrl);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = String(port);
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  return url.href;
}

/** For a database without nodes: all companies share the connections. */
const shared = (opened: Connections) => ({
  ...opened,
  connectionsFor: async () => opened,
  nodes: async () => ({ all: [], missing: [] }),
});

const onServer = { planCacheMode: 'force_generic_plan', batchMax: Infinity, hasNodes: false } as const;

/** Checks the server, its schema and any pooler on connections of their own, and returns the query options. Throws a DatabaseError if a check fails. */
async function inspectServer(
  databaseUrl: string,
  settings: PoolSettings,
  namedStatements: boolean,
): Promise<typeof onServer | typeof onNodes> {
  const [{ serverPool }, { requireCurrent, requireServer }, { hasNodes, onNodes }, { requireNamedStatements }] =
    await Promise.all([
      import('./pool.ts'),
      import('./migrations.ts'),
      import('./citus/citus.ts'),
      import('./pooler.ts'),
    ]);
  const pool = serverPool(databaseUrl, { ...settings, poolSize: 2 });
  try {
    await requireServer(pool);
    await requireCurrent(pool);
    if (namedStatements) await requireNamedStatements(pool);
    return (await hasNodes(pool)) ? onNodes : onServer;
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

async function openFolder(
  folder: Opened,
  starting: Promise<Embedded> | undefined,
  settings: PoolSettings,
): Promise<Database> {
  const { embeddedPool } = await import('./pool.ts');
  const { migrateEmbedded, requireCurrent } = await import('./migrations.ts');
  const opened = await connect((poolSize) => embeddedPool(folder.connection, { ...settings, poolSize }), settings, {
    namedStatements: false,
  });
  const { operations } = opened.pools;
  let embedded: Embedded | undefined;
  try {
    // `$connect` loads Prisma's query compiler while the worker loads PostgreSQL. Only the first query connects to PostgreSQL.
    [embedded] = await Promise.all([starting, opened.db.$connect()]);
    if (embedded) await Promise.race([migrateEmbedded(folder.connection), embedded.lost.then(rejected)]);
    else await requireCurrent(operations, 'try again, or restart the service, which migrates it');
    await embedded?.keep();
  } catch (error) {
    await endPools(opened.pools);
    await embedded?.close();
    throw error;
  }
  const close = closeOnce(opened, async () => embedded?.close());
  return { ...shared(opened), kind: 'embedded', lost: embedded?.lost ?? never, close };
}

function closeOnce(connections: Connections, closeRest: () => Promise<void> | void): () => Promise<void> {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await disconnect(connections);
    await closeRest();
  };
  return () => {
    closed ??= close();
    return closed;
  };
}
