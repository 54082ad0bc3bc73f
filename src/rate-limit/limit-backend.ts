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

/** Where the request limits are counted: in this process alone, or with all others in Redis or PostgreSQL. */
export interface LimitBackend {
  readonly kind: 'memory' | 'redis' | 'postgresql';
  /** For counts that are shared. */
  readonly insurance?: Insurance;
  /** Counts of `points` a window, under keys that begin with `keyPrefix`. */
  limiter(keyPrefix: string, points: number): RateLimiterAbstract;
  close(): void;
}

/** Redis where there is one, else the server's database; the embedded database is served by one process, which counts for itself. */
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

/** Counts in Redis: one round trip each. Loads its client only here. */
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

/**
 * Counts in the table rate_limits: one statement each, which waits no longer than the pool lets it. Windows end by the clocks of the
 * processes, which must agree.
 */
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
    limiter: (keyPrefix, points) =>
      new RateLimiterPostgres({
        ...insuredWindow(insurance, points),
        ...rateLimitsTable,
        keyPrefix,
        storeClient: { query },
      }),
    close: () => undefined,
  };
}

/** For RateLimiterPostgres over a `storeClient` that only has `query`. */
export const rateLimitsTable = {
  storeType: 'client',
  tableName: 'rate_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
} as const;

function insuredWindow(insurance: Insurance, points: number) {
  const window = { points, duration: windowSeconds };
  // One past the limit, so that what is refused in this window costs no more round trips.
  return { ...window, inMemoryBlockOnConsumed: points + 1, insuranceLimiter: insurance.limiter(window) };
}

interface Consumed {
  /** The window is used up. */
  readonly refused: boolean;
  readonly remaining: number;
  /** Until the window ends, at least 1. */
  readonly seconds: number;
}

/** Counts against a limit; a window that is used up is an outcome, not an error. */
export async function consume(limiter: RateLimiterAbstract, key: string, points: number): Promise<Consumed> {
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
