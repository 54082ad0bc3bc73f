import { Redis } from 'ioredis';
import { type ClockDistance, clockDistance } from './clock-distance.ts';

/** What a Redis server says about itself. */
export interface RedisFacts extends ClockDistance {
  readonly version: string;
  /** `master`, or `slave` for a replica. */
  readonly role: string;
  /** Bytes; 0 without a limit. */
  readonly memoryMax: number;
  readonly evictionPolicy: string;
}

/** Reads only. Rejects with the reason why the server cannot be reached. */
export async function inspectRedis(url: string, timeoutMs: number): Promise<RedisFacts> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on('error', (error: Error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
    return {
      version: field('redis_version'),
      role: field('role'),
      memoryMax: Number(field('maxmemory')),
      evictionPolicy: field('maxmemory_policy'),
      ...(await clockDistance(() => millisecondsOf(redis))),
    };
  } catch (error) {
    // The error event has the cause; the promise says only that the connection is closed.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}

async function millisecondsOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return (seconds ?? Number.NaN) * 1000 + (microseconds ?? 0) / 1000;
}
