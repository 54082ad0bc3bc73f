import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.ts';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, quantile, whole } from './fault.ts';
import { folderPlace } from './place.ts';
import { Readers } from './readers.ts';
import { Subject } from './subject.ts';

const honest = { path: '/v1/jobs?per_page=100', count: 5, pauseMs: 20 };
/** How much longer honest readers may wait, on a machine that the clients share. */
const slower = 1.5;
/** How long they read alone: once to warm up, once for the comparison. */
const aloneMs = 5000;

const open = async (origin: string): Promise<Socket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const requestOf = (token: string): string =>
  `GET ${honest.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** Sends a byte every 200 ms until the deadline; resolves with whether the service ended the connection. */
async function crawl(socket: Socket, text: string, untilMs: number): Promise<boolean> {
  socket.resume();
  let ended = false;
  socket.on('close', () => {
    ended = true;
  });
  for (let i = 0; performance.now() < untilMs && !ended; i = (i + 1) % text.length) {
    socket.write(text[i] ?? '');
    await sleep(200);
  }
  return ended;
}

/** Sends a request, reads a part of the answer and disconnects. */
async function cut({ origin, token }: Subject): Promise<void> {
  const socket = await open(origin);
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
  /** Whether latencies are judged; not in the short form. */
  readonly judged: boolean;
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
  const { answers, unanswered } = readers;
  const latencies = answers.map(({ ms }) => ms);
  const allRight = unanswered === 0 && answers.every(({ status }) => status === 200);
  return { answers: answers.length, p99Ms: quantile(latencies, 0.99), allRight };
}

/** Runs `one` so many times, twenty at a time. */
async function inBatches(count: number, one: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: 20 }, one));
}

async function withBadClients(subject: Subject, { idle, crawlers, cuts, crawlMs, judged }: Crowd): Promise<Outcome> {
  const { origin, token } = subject;
  // Enough jobs that an answer is more than one packet.
  const creators = new Creators(origin, token, 10);
  await creators.progress(120);
  await creators.stop();
  await noticed(subject, () => sleep(aloneMs));
  const alone = await noticed(subject, () => sleep(aloneMs));
  const sockets: Socket[] = [];
  for (let i = 0; i < idle; i++) sockets.push(await open(origin));
  let ended = 0;
  const crowd = await noticed(subject, async () => {
    const until = performance.now() + crawlMs;
    const crawlOne = async () => {
      const socket = await open(origin);
      sockets.push(socket);
      return crawl(socket, `GET /v1/jobs HTTP/1.1\r\nX-Slow: ${'x'.repeat(10_000)}`, until);
    };
    ended = (await Promise.all(Array.from({ length: crawlers }, crawlOne))).filter(Boolean).length;
  });
  // A cut answer costs the service as much as one that is read; only the difference counts.
  const readInFull = await noticed(subject, () => inBatches(cuts, () => readWhole(subject)));
  const cutOff = await noticed(subject, () => inBatches(cuts, () => cut(subject)));
  for (const socket of sockets) socket.destroy();
  return {
    figures:
      `${whole(idle)} idle connections and ${crawlers} clients of five bytes a second: ${whole(crowd.answers)} answers to honest ` +
      `readers, p99 ${whole(crowd.p99Ms)} ms against ${whole(alone.p99Ms)} ms alone, ${ended} slow clients ended by the service; ${whole(cuts)} answers cut by the client, ` +
      `20 at once: p99 ${whole(cutOff.p99Ms)} ms, and ${whole(readInFull.p99Ms)} ms where the same are read to their end`,
    broken: brokenOf({
      'the process lives on': subject.service.running,
      'every honest request is answered with 200': crowd.allRight && readInFull.allRight && cutOff.allRight,
      'honest readers notice little of the idle and the slow': !judged || crowd.p99Ms <= alone.p99Ms * slower,
      'a cut answer costs others no more than one that is read': !judged || cutOff.p99Ms <= readInFull.p99Ms * slower,
      'slow clients are ended': ended === crawlers,
    }),
  };
}

export const badClients: Fault = {
  name: 'bad-clients',
  async run(scale) {
    const subject = await Subject.start(await folderPlace(), { HEADERS_TIMEOUT_SECONDS: '5' });
    const full = { idle: 2000, crawlers: 50, cuts: 1000, crawlMs: 15_000, judged: true };
    const short = { idle: 200, crawlers: 10, cuts: 100, crawlMs: 12_000, judged: false };
    try {
      return await withBadClients(subject, scale === 'full' ? full : short);
    } finally {
      await subject.remove();
    }
  },
};
