import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRedis, type RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import type { Log } from '../log.ts';
import { Reach } from './reach.ts';

export const windowSeconds = 60;

/** Where the request limits are counted: in this process alone, or with all others in Redis or PostgreSQL. */
export interface LimitBackend {
  readonly kind: 'memory' | 'redis' | 'postgresql';
  readonly shared?: SharedCounts;
  close(): void;
}

export interface SharedCounts {
  readonly reach: Reach;
  /** Counts of `points` a window, of a minute unless told, under keys that begin with `keyPrefix`. */
  counter(keyPrefix: string, points: number, seconds?: number): RateLimiterStoreAbstract;
}

export const memoryBackend: LimitBackend = { kind: 'memory', close: () => undefined };

const probeEveryMs = 1000;
/** How long a start waits for Redis; then it goes on without. */
const connectMs = 2000;

/** Counts in Redis: one round trip each. Loads its client only here. */
export async function redisBackend(url: string, log: Log): Promise<LimitBackend> {
  const { openRedis } = await import('../store/open-redis.ts');
  const probe = async () => redis.ping();
  const reach = new Reach({ backend: 'redis', timeoutMs: 500, probeEveryMs, probe }, log);
  const redis = await openRedis(url, connectMs, (error) => reach.lost(error));
  const counter = (keyPrefix: string, points: number, seconds?: number) =>
    new RateLimiterRedis({ ...window(keyPrefix, points, seconds), storeClient: redis, useRedisPackage: true });
  const close = (): void => {
    reach.close();
    redis.destroy();
  };
  return { kind: 'redis', shared: { reach, counter }, close };
}

/** Counts in the table rate_limits: one statement each. Windows end by the clocks of the processes, which must agree. */
export function postgresqlBackend(pool: pg.Pool, log: Log, timeoutMs = 4000): LimitBackend {
  const probe = async () => pool.query('SELECT 1');
  // Longer than for Redis: without the database the request itself comes to nothing, and a wait for a connection is no outage.
  const reach = new Reach({ backend: 'postgresql', timeoutMs, probeEveryMs, probe }, log);
  const counter = (keyPrefix: string, points: number, seconds?: number) =>
    new RateLimiterPostgres({
      ...window(keyPrefix, points, seconds),
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
  const cleaning = setInterval(() => void removeEnded(pool).catch(() => undefined), windowSeconds * 1000).unref();
  const close = (): void => {
    reach.close();
    clearInterval(cleaning);
  };
  return { kind: 'postgresql', shared: { reach, counter }, close };
}

/** One past the limit, so that what is refused in this window costs no more round trips. */
const window = (keyPrefix: string, points: number, seconds = windowSeconds) => ({
  keyPrefix,
  points,
  duration: seconds,
  inMemoryBlockOnConsumed: points + 1,
});

/** Every process does it; a row that another one is counting on or removing is left alone. */
const removeEnded = (pool: pg.Pool): Promise<unknown> =>
  pool.query(
    `DELETE FROM rate_limits WHERE key IN
       (SELECT key FROM rate_limits WHERE expire < $1 ORDER BY key LIMIT 10000 FOR UPDATE SKIP LOCKED)`,
    [Date.now() - windowSeconds * 1000],
  );
