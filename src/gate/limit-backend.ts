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
  /** Counts of `points` a window, under keys that begin with `keyPrefix`. */
  counter(keyPrefix: string, points: number): RateLimiterStoreAbstract;
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
  const counter = (keyPrefix: string, points: number) =>
    new RateLimiterRedis({ ...window(keyPrefix, points), storeClient: redis, useRedisPackage: true });
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
  const counter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      ...window(keyPrefix, points),
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
    });
  return { kind: 'postgresql', shared: { reach, counter }, close: () => reach.close() };
}

/** One past the limit, so that what is refused in this window costs no more round trips. */
const window = (keyPrefix: string, points: number) => ({
  keyPrefix,
  points,
  duration: windowSeconds,
  inMemoryBlockOnConsumed: points + 1,
});
