import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { correctSettings, type PlanCacheMode, serverSettings, type Timeouts } from './server-settings.ts';

export interface PoolSettings extends Timeouts {
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** How long a node may take to answer a probe. Lists across companies leave out a slower node. */
  readonly nodeWaitMs?: number;
}

/** Statements beyond this number, or longer than `namedSqlMax`, stay unnamed: each name costs memory on every server connection. */
const statementNamesMax = 500;
const namedSqlMax = 20_000;

/** Names statements by a hash of their SQL, so PostgreSQL parses and plans each one once per connection. */
function nameStatements(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= statementNamesMax || sql.length > namedSqlMax) return '';
    const name = `v${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}

interface ServerOptions {
  readonly planCacheMode?: PlanCacheMode;
  readonly maxLifetimeSeconds?: number;
  /** `ops doctor` counts the service's processes by this name. */
  readonly applicationName?: string;
  /** Called with every connection before its first use. If it throws, the connection is closed. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/**
 * A pool for a PostgreSQL server, whose clients give up one second after the server should have cancelled. Generic plans go stale as tables
 * grow, so connections end after `maxLifetimeSeconds`.
 */
export function serverPool(
  databaseUrl: string,
  settings: PoolSettings,
  { planCacheMode, maxLifetimeSeconds = 30, applicationName = `vaga ${process.pid}`, onConnect }: ServerOptions = {},
): pg.Pool {
  const asked = Object.entries(serverSettings(settings, planCacheMode)).map(
    // A blank ends an option.
    ([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`,
  );
  return guarded(
    new pg.Pool({
      ...withOptions(databaseUrl, asked.join(' ')),
      application_name: applicationName,
      keepAlive: true,
      maxLifetimeSeconds,
      onConnect: async (client) => {
        await onConnect?.(client);
        await correctSettings(client);
      },
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      query_timeout: settings.statementTimeoutMs + 1000,
    }),
  );
}

/** Appends our options to those of the URL, which would otherwise replace ours. The last option wins. */
function withOptions(databaseUrl: string, options: string): { connectionString: string; options: string } {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { connectionString: url.href, options: `${given} ${options}`.trim() };
}

/** A pool for the embedded database, which has no timeouts of its own. */
export const embeddedPool = (connection: pg.PoolConfig, settings: PoolSettings): pg.Pool =>
  guarded(
    new pg.Pool({
      ...connection,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      query_timeout: settings.statementTimeoutMs,
    }),
  );

/**
 * Closes connections that are released while busy or in a transaction. After a client timeout, no ROLLBACK is sent: on the same
 * connection, the next user's writes would run in a transaction that is never committed.
 */
function guarded(pool: pg.Pool): pg.Pool {
  const ignore = (): void => undefined;
  // A broken connection fails its statement anyway; an unhandled 'error' event would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  pool.on('error', ignore);
  return pool.on('release', (_error, client) => {
    if (!isIdle(client)) client.end().catch(ignore);
  });
}

/** Whether the last ReadyForQuery said `I` (idle, no transaction) and nothing was sent since. */
function isIdle(client: pg.PoolClient): boolean {
  // `readyForQuery` is missing in pg's types. It is false from a query until ReadyForQuery.
  const { readyForQuery } = client as pg.PoolClient & { readonly readyForQuery?: boolean };
  return readyForQuery === true && client.getTransactionStatus() === 'I';
}

/** How many lookups may share a query. */
interface Batching {
  readonly batchMax: number;
}

/** Sends queries through the driver, without Prisma, for the checks of every request (src/README.md). */
export interface Rows extends Batching {
  rows<T>(statement: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]>;
}

/** A database while some nodes do not answer. Reads across companies with this `db` leave out the companies of those nodes. */
export interface Reachable {
  readonly db: Db;
  /** The nodes that are left out. */
  readonly leftOut: readonly number[];
}

/** Prisma's client. */
export type Db = PrismaClient &
  Batching & {
    /** Returns a `db` whose `$queryRaw` reads only the nodes that answer; undefined if all answer. Absent without nodes. */
    readonly reachable?: () => Promise<Reachable | undefined>;
  };

export interface QueryOptions {
  /** Whether to name statements. Requires that every connection has its own backend. */
  readonly namedStatements: boolean;
  readonly batchMax?: number;
}

/** Direct queries over a pool. The caller ends the pool. */
export function rowsOver(pool: pg.Pool, { namedStatements, batchMax = Infinity }: QueryOptions): Rows {
  const nameOf = namedStatements ? nameStatements() : undefined;
  const rows = async <T>({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]> => {
    const name = nameOf?.({ sql: text });
    const { rows: found } = await pool.query({ text, values: values.map(sendable), ...(name ? { name } : {}) });
    return found as T[];
  };
  return { batchMax, rows };
}

/** Prisma over a pool. The caller ends the pool. `minimal` avoids capturing a stack trace for each query. */
export function prismaOver(pool: pg.Pool, { namedStatements, batchMax = Infinity }: QueryOptions): Db {
  const adapter = new PrismaPg(pool, namedStatements ? { statementNameGenerator: nameStatements() } : {});
  return Object.assign(new PrismaClient({ adapter, errorFormat: 'minimal' }), { batchMax });
}

/** Implements Rows with Prisma instead of the driver, for checks that run rarely. */
export const rowsBy = (db: Db): Rows => ({
  batchMax: db.batchMax,
  rows: ({ text, values }) => db.$queryRawUnsafe(text, ...values),
});

/** pg sends dates in the process's time zone; a cast to `date` would then give the wrong day. */
const sendable = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Whether the database takes writes: false on a standby or a read-only server, undefined without this service's migrations. */
export async function isWritable(db: Rows): Promise<boolean | undefined> {
  const [row] = await db.rows<{ writable: boolean }>({
    text: `SELECT current_setting('transaction_read_only') = 'off' AS writable
             FROM _prisma_migrations WHERE finished_at IS NOT NULL LIMIT 1`,
    values: [],
  });
  return row?.writable;
}
