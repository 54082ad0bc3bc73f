import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Database } from '../database/open.ts';
import type { Log } from '../log.ts';
import { Insurance } from './insurance.ts';

export const windowSeconds = 60;

/** Counts request limits in this process, or shared with others in Redis or PostgreSQL. */
export interface LimitBackend {
  readonly kind: 'memory' | 'redis' | 'postgresql';
  /** Only for shared limits. */
  readonly insurance?: Insurance;
  /** Allows `points` per window and key. */
  limiter(keyPrefix: string, points: number): RateLimiterAbstract;
  close(): void;
}

/** Redis if configured, else the PostgreSQL server. The embedded database has only one process, which counts in memory. */
export async function openLimitBackend(
  { redisUrl }: { readonly redisUrl: string | undefined },
  { kind, pools }: Pick<Database, 'kind' | 'pools'>,
  log: Log,
): Promise<LimitBackend> {
  if (redisUrl) return redisBackend(redisUrl, log);
  return kind === 'server' ? postgresqlBackend(pools.admission, log) : memoryBackend;
}

export const memoryBackend: LimitBackend = {
  kind: 'memory',
  limiter: (_keyPrefix, points) => new RateLimiterMemory({ points, duration: windowSeconds }),
  close: () => undefined,
};

/** One round trip per count. */
export async function redisBackend(url: string, log: Log): Promise<LimitBackend> {
  const { openRedis } = await import('../database/open-redis.ts');
  const insurance = new Insurance('redis', log);
  const redis = await openRedis(url, {
    onFailure: (error) => insurance.failed(error),
    onReady: () => insurance.succeeded(),
  });
  return {
    kind: 'redis',
    insurance,
    limiter: (keyPrefix, points) =>
      new RateLimiterRedis({ ...insuredWindow(insurance, points), keyPrefix, storeClient: redis }),
    close: () => redis.disconnect(),
  };
}

/** One statement per count, in the table rate_limits. */
export function postgresqlBackend(pool: pg.Pool, log: Log): LimitBackend {
  const insurance = new Insurance('postgresql', log);
  const query = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
    try {
      const result = await pool.query(statement);
      insurance.succeeded();
      return result;
    } catch (error) {
      insurance.failed(error);
      throw error;
    }
  };
  return {
    kind: 'postgresql',
    insurance,
    limiter: (keyPrefix, points) => new DatabaseLimiter(query, { ...insuredWindow(insurance, points), keyPrefix }),
    close: () => undefined,
  };
}

type Rows = Pick<pg.QueryResult, 'rows'>;
type Query = (statement: pg.QueryConfig) => Promise<Rows>;
type Options = Omit<ConstructorParameters<typeof RateLimiterPostgres>[0], 'storeClient'>;

const nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const hasEnded = 'counted.expire <= excluded.expire - $3';
const count = `
  INSERT INTO rate_limits AS counted VALUES ($1, $2, ${nowMs} + $3) ON CONFLICT (key) DO UPDATE SET
    points = excluded.points + CASE WHEN ${hasEnded} THEN 0 ELSE counted.points END,
    expire = CASE WHEN ${hasEnded} THEN excluded.expire ELSE counted.expire END
  RETURNING points, (expire - ${nowMs})::float8 AS ms`;

/** Windows begin and end by the database's clock; the library compares those of the processes, which may differ. */
export class DatabaseLimiter extends RateLimiterPostgres {
  readonly #query: Query;

  constructor(query: Query, options: Options) {
    const table = { tableName: 'rate_limits', tableCreated: true, clearExpiredByTimeout: false };
    super({ ...options, ...table, storeType: 'client', storeClient: { query } });
    this.#query = query;
  }

  /** Replaces the library's, which then takes its own clock's time from `expire`. */
  protected async _upsert(key: string, points: number, windowMs: number): Promise<Rows> {
    const { rows } = await this.#query({ name: 'rate_limits', text: count, values: [key, points, windowMs] });
    return { rows: rows.map((row) => ({ points: row.points, expire: Date.now() + row.ms })) };
  }
}

function insuredWindow(insurance: Insurance, points: number) {
  const window = { points, duration: windowSeconds };
  // Once past the limit, refusals in this window need no round trip.
  return { ...window, inMemoryBlockOnConsumed: points + 1, insuranceLimiter: insurance.limiter(window) };
}

interface Consumed {
  /** The limit of this window is exceeded. */
  readonly refused: boolean;
  readonly remaining: number;
  /** Until the window ends; at least 1. */
  readonly seconds: number;
}

/** Counts against a limit. Exceeding it is an outcome, not an error. */
export async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Consumed> {
  const consumed = await tryConsume(limiter, key, points);
  if (consumed.seconds <= limiter.duration + 1) return consumed;
  // A window that ends later than one that begins now is from before a clock stepped back. A new one begins.
  await limiter.delete(key);
  return tryConsume(limiter, key, points);
}

async function tryConsume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Consumed> {
  try {
    return toConsumed(await limiter.consume(key, points), false);
  } catch (error) {
    if (error instanceof RateLimiterRes) return toConsumed(error, true);
    throw error;
  }
}

const toConsumed = ({ remainingPoints, msBeforeNext }: RateLimiterRes, refused: boolean): Consumed => ({
  refused,
  remaining: remainingPoints,
  seconds: Math.max(Math.ceil(msBeforeNext / 1000), 1),
});
