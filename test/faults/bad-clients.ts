import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { checkHistory } from './check-history.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, memoryMb, type Outcome, whole } from './fault.ts';
import { ask, p99 } from './history.ts';
import { openSocket } from './open-socket.ts';
import { folderPlace } from './place.ts';
import { Readers } from './readers.ts';
import { Subject } from './subject.ts';

const honest = { path: '/v1/jobs?per_page=100', count: 5, pauseMs: 20 };
/** How much longer honest readers may wait, on a machine that the clients share. */
const slower = 1.5;
/** Half of what compose.yaml allows. */
const memoryMbMax = 1000;
/** How long they read alone: once to warm up, once for the comparison. */
const aloneMs = 5000;

const requestOf = (token: string): string =>
  `GET ${honest.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Clients that send many requests and read nothing; resolves with the most memory that the service used. */
async function unread(subject: Subject, clients: number, lastsMs: number): Promise<number> {
  const sockets: Socket[] = [];
  let most = 0;
  const until = performance.now() + lastsMs;
  // Some have more requests behind their unread page than a connection may have; the others stay open.
  const flood = get('/docs').repeat(40) + get('/healthz').repeat(1500);
  const few = get('/docs').repeat(5) + get('/v1/account').repeat(3);
  for (let n = 0; n < clients || performance.now() < until; n++) {
    if (n < clients) {
      const socket = await openSocket(subject.origin);
      sockets.push(socket.pause());
      socket.write(n % 2 === 0 ? flood : few);
    } else await sleep(50);
    most = Math.max(most, memoryMb(subject.service.pid, 'VmRSS'));
  }
  for (const socket of sockets) socket.resetAndDestroy();
  return most;
}

/** Sends a request, reads a part of the answer and disconnects. */
async function cut({ origin, token }: Subject): Promise<void> {
  const socket = await openSocket(origin);
  socket.write(requestOf(token));
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
}

const readWhole = async ({ origin, token }: Subject): Promise<void> => void (await ask(origin, token, honest));

interface Crowd {
  readonly idle: number;
  readonly crawlers: number;
  readonly cuts: number;
  readonly crawlMs: number;
  /** Clients with pipelined requests that read nothing, and for how long they stay. */
  readonly unreadClients: number;
  readonly unreadMs: number;
}

interface Noticed {
  readonly answers: number;
  readonly p99Ms: number;
  readonly allRight: boolean;
}

/** The latencies of honest readers while `meanwhile` runs. */
async function noticed({ origin, token }: Subject, meanwhile: () => Promise<void>): Promise<Noticed> {
  const readers = new Readers(origin, token, honest);
  await meanwhile();
  await readers.stop();
  const { seen, answered } = readers.history;
  return { answers: answered.length, p99Ms: p99(answered), allRight: seen.every(({ status }) => status === 200) };
}

/** Runs `one` so many times, twenty at a time. */
async function inBatches(count: number, one: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: 20 }, one));
}

/** Latencies are `judged` in the full form. */
async function withBadClients(
  subject: Subject,
  { idle, crawlers, cuts, crawlMs, unreadClients, unreadMs }: Crowd,
  judged: boolean,
): Promise<Outcome> {
  const { origin, token } = subject;
  // Enough jobs that an answer is more than one packet.
  const creators = new Creators(origin, token, 10, { hotJobs: 0 });
  await creators.progress(120);
  await creators.stop();
  const changes = new Creators(origin, token, 0, { hotJobs: 1 });
  await noticed(subject, () => sleep(aloneMs));
  const alone = await noticed(subject, () => sleep(aloneMs));
  const clients = new Worker(new URL('./crowd-worker.js', import.meta.url), {
    workerData: { origin, idle, crawlers, crawlMs },
  });
  clients.unref();
  await once(clients, 'message');
  let ended = 0;
  const crowd = await noticed(subject, async () => {
    clients.postMessage('crawl');
    [ended] = await once(clients, 'message');
  });
  // A cut answer costs the service as much as one that is read; only the difference counts.
  const readInFull = await noticed(subject, () => inBatches(cuts, () => readWhole(subject)));
  const cutOff = await noticed(subject, () => inBatches(cuts, () => cut(subject)));
  await clients.terminate();
  let memory = 0;
  const beside = await noticed(subject, async () => {
    memory = await unread(subject, unreadClients, unreadMs);
  });
  // Twice the places that there are, had they kept theirs.
  const afterwards = await noticed(subject, () => inBatches(2 * 256, () => readWhole(subject)));
  await changes.stop();
  const checked = await checkHistory(changes.history.seen);
  return {
    figures:
      `${whole(idle)} idle connections and ${crawlers} clients of five bytes a second: ${whole(crowd.answers)} answers to honest ` +
      `readers, p99 ${whole(crowd.p99Ms)} ms against ${whole(alone.p99Ms)} ms alone, ${ended} slow clients ended by the service; ${whole(cuts)} answers cut by the client, ` +
      `20 at once: p99 ${whole(cutOff.p99Ms)} ms, and ${whole(readInFull.p99Ms)} ms where the same are read to their end; ` +
      `${whole(unreadClients)} clients with pipelined requests that read nothing: ${whole(beside.answers)} answers to honest readers, ` +
      `p99 ${whole(beside.p99Ms)} ms, at most ${whole(memory)} MB; ${checked.figures}`,
    broken: brokenOf({
      ...checked.promise,
      'the process lives on': subject.service.running,
      'every honest request is answered with 200': [crowd, readInFull, cutOff, beside, afterwards].every(
        (one) => one.allRight,
      ),
      'honest readers notice little of the idle and the slow': !judged || crowd.p99Ms <= alone.p99Ms * slower,
      'a cut answer costs others no more than one that is read': !judged || cutOff.p99Ms <= readInFull.p99Ms * slower,
      'slow clients are ended': ended === crawlers,
      [`the service stays below ${memoryMbMax} MB`]: memory < memoryMbMax,
    }),
  };
}

export const badClients: Fault = {
  name: 'bad-clients',
  async run(scale) {
    const subject = await Subject.start(await folderPlace(), { HEADERS_TIMEOUT_SECONDS: '5' });
    const full = { idle: 2000, crawlers: 50, cuts: 1000, crawlMs: 15_000, unreadClients: 1200, unreadMs: 20_000 };
    const short = { idle: 200, crawlers: 10, cuts: 100, crawlMs: 12_000, unreadClients: 300, unreadMs: 2000 };
    try {
      return await withBadClients(subject, scale === 'full' ? full : short, scale === 'full');
    } finally {
      await subject.remove();
    }
  },
};
