import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { PoolSettings } from './pool-settings.ts';

/** Beyond these a statement goes unnamed: each name costs every connection memory on the server. */
const statementNamesMax = 500;

/** Names a statement by its SQL, so that PostgreSQL parses and plans it once a connection. */
export function nameStatements(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= statementNamesMax) return '';
    const name = `v${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`;
    names.set(sql, name);
    return name;
  };
}

/**
 * PostgreSQL would replan array lookups on every call, so plans are generic; they go stale as tables grow, so connections are renewed.
 * Dates come in ISO 8601, whatever the server's own style.
 */
const sessionOptions = '-c plan_cache_mode=force_generic_plan -c datestyle=ISO';

/** A pool to a server; the server itself ends what takes too long, and the client gives up a second later. */
export function serverPool(databaseUrl: string, settings: PoolSettings, maxLifetimeSeconds = 30): pg.Pool {
  return guarded(
    new pg.Pool({
      ...withOptions(databaseUrl, sessionOptions),
      application_name: 'vaga',
      keepAlive: true,
      maxLifetimeSeconds,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      statement_timeout: settings.statementTimeoutMs,
      query_timeout: settings.statementTimeoutMs + 1000,
      idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
    }),
  );
}

/** `options` of the address would replace ours: ours follow them and so win where both set the same. */
function withOptions(databaseUrl: string, options: string): { connectionString: string; options: string } {
  const url = new URL(databaseUrl);
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { connectionString: url.href, options: `${given} ${options}`.trim() };
}

/** A pool to the embedded database, which knows no timeouts of its own: the client alone gives up. */
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
 * Closes a connection that is given back busy or inside a transaction. A client that stops waiting leaves both behind: its ROLLBACK
 * is never sent, and the next user's writes would be acknowledged inside a transaction that nobody commits.
 */
function guarded(pool: pg.Pool): pg.Pool {
  const ignore = (): void => undefined;
  // A broken connection fails the statement that waits on it; unheard, the event itself would end the process.
  pool.on('connect', (client) => client.on('error', ignore));
  pool.on('error', ignore);
  return pool.on('release', (_error, client) => {
    if (!isIdle(client)) client.end().catch(ignore);
  });
}

/** The last ReadyForQuery said `I` (idle, outside a transaction), and nothing was sent since. */
function isIdle(client: pg.PoolClient): boolean {
  // pg's types leave out `readyForQuery`, which is false from a query until the server's answer to all of it.
  const { readyForQuery } = client as pg.PoolClient & { readonly readyForQuery?: boolean };
  return readyForQuery === true && client.getTransactionStatus() === 'I';
}

/** Sends one statement to the driver itself. Through Prisma a request costs a fifth more CPU in the mixed benchmark. */
export interface Rows {
  rows<T>(statement: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]>;
}

/** Prisma, and beside it the driver for the statements of the API's operations. */
export type Db = PrismaClient & Rows;

interface Naming {
  /** Only where every connection has a backend of its own. */
  readonly namedStatements: boolean;
}

/** Single statements over a pool that the caller ends. */
export function rowsOver(pool: pg.Pool, { namedStatements }: Naming): Rows {
  const nameOf = namedStatements ? nameStatements() : undefined;
  const rows = async <T>({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]> => {
    const name = nameOf?.({ sql: text });
    const { rows: found } = await pool.query({ text, values: values.map(sendable), ...(name ? { name } : {}) });
    return found as T[];
  };
  return { rows };
}

/** Prisma and single statements over a pool that the caller ends. */
export function prismaOver(pool: pg.Pool, naming: Naming): Db {
  const adapter = new PrismaPg(pool, naming.namedStatements ? { statementNameGenerator: nameStatements() } : {});
  return Object.assign(new PrismaClient({ adapter }), rowsOver(pool, naming));
}

/** The driver would write an instant in the zone of the process, and a cast to a day would then cut it wrongly. */
const sendable = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
