import { createClient } from 'redis';

export type Redis = ReturnType<typeof createRedis>;

/** Commands fail at once while there is no connection, instead of waiting for one. */
const createRedis = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    // Whoever asks gives up by itself; a timer for each command would cost more than the command.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2000, noDelay: true },
  });

/** Connects and goes on connecting; resolves after `waitMs` at the latest, connected or not, because nothing depends on Redis alone. */
export async function openRedis(url: string, waitMs: number, onError: (error: Error) => void): Promise<Redis> {
  const redis = createRedis(url).on('error', onError);
  const waited = new Promise((resolve) => setTimeout(resolve, waitMs).unref());
  await Promise.race([redis.connect().catch(onError), waited]);
  return redis;
}
