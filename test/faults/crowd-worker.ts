import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openSocket } from './open-socket.ts';

// Idle and slow clients in a thread of their own: in that of the honest ones, their work would count as the service's. Says when all idle
// ones are connected; then each slow one sends a byte every 200 ms, and at the end it says how many of them the service has ended.

const { origin, idle, crawlers, crawlMs } = workerData;
const slowRequest = `GET /v1/jobs HTTP/1.1\r\nX-Slow: ${'x'.repeat(10_000)}`;

/** Whether the service ended the connection. */
async function crawl(socket: Socket): Promise<boolean> {
  const until = performance.now() + crawlMs;
  socket.resume();
  for (let i = 0; performance.now() < until && !socket.destroyed; i++) {
    socket.write(slowRequest[i % slowRequest.length] ?? '');
    await sleep(200);
  }
  return socket.destroyed;
}

for (let n = 0; n < idle; n++) await openSocket(origin);
parentPort?.postMessage('connected');
parentPort?.once('message', async () => {
  const crawling = Array.from({ length: crawlers }, async () => crawl(await openSocket(origin)));
  parentPort?.postMessage((await Promise.all(crawling)).filter(Boolean).length);
});
