import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from './check-jobs.ts';
import { Creators } from './creators.ts';
import { type Fault, memoryMb, type Outcome, outcome, whole } from './fault.ts';
import { ask } from './history.ts';
import { Readers } from './loops.ts';
import { folderPlace, Subject, withinMemory } from './subject.ts';

const honest = { path: '/v1/jobs?per_page=100', count: 5, pauseMs: 20 };
/** Half of what compose.yaml allows. */
const memoryMbMax = 1000;
/** How long a client may take to send its headers, and how long the slow clients continue. */
const headersTimeoutSeconds = 3;
const crawlMs = 12_000;

const get = (path: string, token = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${token && `Authorization: Bearer ${token}\r\n`}\r\n`;
/** More pipelined requests than a connection may have, and an allowed number. */
const unread = [
  get('/docs').repeat(40) + get('/healthz').repeat(1500),
  get('/docs').repeat(5) + get('/v1/account').repeat(3),
];

async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends a header byte by byte. Returns whether the service ended the connection. */
async function crawl(origin: string): Promise<boolean> {
  const socket = (await openSocket(origin)).resume();
  socket.write('GET /v1/jobs HTTP/1.1\r\nX-Slow: ');
  for (const until = performance.now() + crawlMs; performance.now() < until && !socket.destroyed; await sleep(200))
    socket.write('x');
  return socket.destroyed;
}

/** Sends a request, reads a part of the answer and disconnects. */
async function cut({ origin, token }: Subject): Promise<void> {
  const socket = await openSocket(origin);
  socket.write(get(honest.path, token));
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
}

const times = async <T>(count: number, one: (n: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let n = 0; n < count; n++) results.push(await one(n));
  return results;
};

const twentyAtOnce = async <T>(count: number, one: () => Promise<T>): Promise<T[]> =>
  (await times(count / 20, () => Promise.all(Array.from({ length: 20 }, one)))).flat();

/** Clients of each kind at once: idle ones, slow ones, ones that leave in the middle of an answer, and ones that read nothing. */
interface Crowd {
  readonly idle: number;
  readonly crawlers: number;
  readonly cuts: number;
  readonly unreadClients: number;
}

async function withBadClients(subject: Subject, { idle, crawlers, cuts, unreadClients }: Crowd): Promise<Outcome> {
  const { origin, token } = subject;
  // Enough jobs for an answer of several packets.
  const creators = new Creators(origin, token, 10, { hotJobs: 0 });
  await creators.progress(120);
  await creators.stop();
  const changes = new Creators(origin, token, 0, { hotJobs: 1 });
  const readers = new Readers(origin, token, honest);
  const sockets = await times(idle, () => openSocket(origin));
  const crawling = Promise.all(Array.from({ length: crawlers }, () => crawl(origin)));
  await twentyAtOnce(cuts, () => cut(subject));
  let memory = 0;
  sockets.push(
    ...(await times(unreadClients, async (n) => {
      const socket = await openSocket(origin);
      socket.pause().write(unread[n % 2] ?? '');
      memory = Math.max(memory, memoryMb(subject.service.pid, 'VmRSS'));
      return socket;
    })),
  );
  const ended = (await crawling).filter(Boolean).length;
  memory = Math.max(memory, memoryMb(subject.service.pid, 'VmRSS'));
  for (const socket of sockets) socket.resetAndDestroy();
  // If the departed clients had kept their places, this would be twice as many as there are.
  await twentyAtOnce(2 * 256, () => ask(origin, token, { path: '/v1/account' }));
  await Promise.all([readers.stop(), changes.stop()]);
  const checked = await checkHistory(changes.history.seen);
  return outcome(
    `${whole(idle)} idle connections, ${crawlers} clients of five bytes a second, of which the service ended ${ended}, ${whole(cuts)} ` +
      `answers cut by the client, ${whole(unreadClients)} clients that read nothing: ${whole(readers.history.seen.length)} honest answers, ` +
      `at most ${whole(memory)} MB; ${checked.figures}`,
    checked.promises,
    {
      'the process lives on': subject.service.running,
      'every honest request is answered with 200': readers.history.seen.every(({ status }) => status === 200),
      'slow clients are ended': ended === crawlers,
      [`the service stays below ${memoryMbMax} MB`]: memory < memoryMbMax,
    },
  );
}

export const badClients: Fault = {
  name: 'bad-clients',
  promise: 'idle, slow and vanishing clients are ended or tolerated, and honest ones are answered',
  async run(scale) {
    const subject = await Subject.start(await folderPlace(), {
      HEADERS_TIMEOUT_SECONDS: String(headersTimeoutSeconds),
      ...withinMemory(memoryMbMax),
    });
    const full = { idle: 2000, crawlers: 50, cuts: 1000, unreadClients: 1200 };
    const short = { idle: 200, crawlers: 10, cuts: 100, unreadClients: 300 };
    try {
      return await withBadClients(subject, scale === 'full' ? full : short);
    } finally {
      await subject.remove();
    }
  },
};
