import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A loopback port that was free a moment ago. It lies below the ports that systems give to connections and to
 * listeners without a port of their own (Linux from 32768, some from 16000), so none of those takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  // fetch refuses 10080.
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(10_100, 14_000);
    if (await isFree(port)) return port;
  }
  throw new Error('there is no free port');
}

export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
