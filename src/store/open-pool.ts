import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { KeptPlans } from './kept-plans.ts';
import { isOfTheStatement, Lanes } from './lanes.ts';
import type { PoolSettings } from './pool-settings.ts';

/** Beyond these a statement goes unnamed: each name costs every connection memory on the server. */
const statementNamesMax = 500;

/** Names a statement by its SQL, so that PostgreSQL parses and plans it once a connection. */
export function nameStatements(): (query: Pick<SqlQuery, 'sql'>) => string {
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

/** Dates come in ISO 8601, whatever the server's own style. */
const sessionSettings = `${KeptPlans.options} -c datestyle=ISO`;

/** A pool to a server; the server itself ends what takes too long, and the client gives up a second later. */
export const serverPool = (databaseUrl: string, settings: PoolSettings): pg.Pool =>
  quiet(
    new SparingPool(
      {
        connectionString: databaseUrl,
        application_name: 'vaga',
        options: sessionSettings,
        keepAlive: true,
        max: settings.poolSize,
        connectionTimeoutMillis: settings.connectTimeoutMs,
        statement_timeout: settings.statementTimeoutMs,
        query_timeout: settings.statementTimeoutMs + 1000,
        idle_in_transaction_session_timeout: settings.idleInTransactionTimeoutMs,
      },
      new KeptPlans(),
    ),
  );

/** A pool to the embedded database, which knows no timeouts of its own: the client alone gives up. */
export const embeddedPool = (connection: pg.PoolConfig, settings: PoolSettings): pg.Pool =>
  quiet(
    new SparingPool({
      ...connection,
      max: settings.poolSize,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      query_timeout: settings.statementTimeoutMs,
    }),
  );

/** A broken connection is told to whoever waits for its answer, and replaced; unheard, the event itself would end the process. */
function quiet(pool: pg.Pool): pg.Pool {
  const ignore = (): void => undefined;
  pool.on('connect', (client) => client.on('error', ignore));
  return pool.on('error', ignore);
}

/** Prisma, and beside it the way of the statements that every request waits for. */
export type Db = PrismaClient & {
  /** Sends one statement to the driver itself: Prisma's runtime would take twice the time of the driver. */
  rows<T>(statement: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]>;
};

/** Over a pool that the caller ends. Named statements only where every connection has a backend of its own. */
export function prismaOver(pool: pg.Pool, options: { namedStatements: boolean }): Db {
  const nameOf = options.namedStatements ? nameStatements() : undefined;
  const adapter = new PrismaPg(pool, nameOf ? { statementNameGenerator: nameOf } : {});
  const rows = async <T>({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>): Promise<T[]> => {
    const name = nameOf?.({ sql: text });
    const { rows: found } = await pool.query({ text, values: values.map(sendable), ...(name ? { name } : {}) });
    return found as T[];
  };
  return Object.assign(new PrismaClient({ adapter }), { rows });
}

/** The driver would write an instant in the zone of the process, and a cast to a day would then cut it wrongly. */
const sendable = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** How many connections the reads share, beside the pool's own. */
const lanesMax = 4;
const isRead = /^\s*SELECT\b/i;

/**
 * Sends single reads down the lanes. For all else a client of its own is taken, which pg's own pool would throw away after any error,
 * a broken unique key among them; this one keeps a healthy one.
 */
class SparingPool extends pg.Pool {
  readonly #lanes: Lanes;

  constructor(config: pg.PoolConfig, plans?: KeptPlans) {
    super(config);
    this.#lanes = new Lanes(config, lanesMax, plans);
    if (plans) this.on('acquire', (client) => plans.renew(client));
  }

  // The cast: pg declares a dozen overloads of `query`, of which callers here use only those that return a promise.
  override query = (async (...query: Parameters<pg.PoolClient['query']>) => {
    if (isRead.test(textOf(query[0]))) return this.#lanes.query(...query);
    const client = await this.connect();
    try {
      const result = await client.query(...query);
      client.release();
      return result;
    } catch (error) {
      client.release(isOfTheStatement(error) ? undefined : asError(error));
      throw error;
    }
  }) as unknown as pg.Pool['query'];

  override end = (async () => {
    await Promise.all([this.#lanes.end(), super.end()]);
  }) as pg.Pool['end'];
}

const textOf = (query: string | { readonly text?: string }): string =>
  typeof query === 'string' ? query : (query.text ?? '');

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
