import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Creators } from './creators.ts';
import { brokenOf, type Fault, type Outcome, quantile, whole } from './fault.ts';
import { folderPlace } from './place.ts';
import { Readers } from './readers.ts';
import { Subject } from './subject.ts';

const honest = { path: '/v1/jobs?per_page=100', count: 5, pauseMs: 20 };
/** What honest readers may notice of it, on a machine that the clients share. */
const p99MsMax = 500;

const open = async (origin: string): Promise<Socket> => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

const requestOf = (token: string): string =>
  `GET ${honest.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** Sends a byte every 200 ms for as long as it may; resolves with whether the service ended the connection. */
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

/** Asks, reads a part of the answer, and is gone. */
async function cut({ origin, token }: Subject): Promise<void> {
  const socket = await open(origin);
  socket.write(requestOf(token));
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  socket.destroy();
}

interface Crowd {
  readonly idle: number;
  readonly crawlers: number;
  readonly cuts: number;
  readonly crawlMs: number;
}

async function withBadClients(subject: Subject, { idle, crawlers, cuts, crawlMs }: Crowd): Promise<Outcome> {
  const { origin, token } = subject;
  // Enough jobs that an answer is more than one packet.
  const creators = new Creators(origin, token, 10);
  await creators.progress(120);
  await creators.stop();
  const sockets: Socket[] = [];
  for (let i = 0; i < idle; i++) sockets.push(await open(origin));
  const readers = new Readers(origin, token, honest);
  const until = performance.now() + crawlMs;
  const crawling = Array.from({ length: crawlers }, async () => {
    const socket = await open(origin);
    sockets.push(socket);
    return crawl(socket, `GET /v1/jobs HTTP/1.1\r\nX-Slow: ${'x'.repeat(10_000)}`, until);
  });
  for (let done = 0; done < cuts; done += 20) await Promise.all(Array.from({ length: 20 }, () => cut(subject)));
  const ended = (await Promise.all(crawling)).filter(Boolean).length;
  await readers.stop();
  for (const socket of sockets) socket.destroy();
  const p99 = quantile(
    readers.answers.map(({ ms }) => ms),
    0.99,
  );
  return {
    figures:
      `${whole(idle)} idle connections, ${crawlers} clients of five bytes a second, ${whole(cuts)} answers cut by the client: ` +
      `${whole(readers.answers.length)} answers to honest readers, p99 ${whole(p99)} ms; ${ended} slow clients ended by the service`,
    broken: brokenOf({
      'the process lives on': subject.service.running,
      'every honest request is answered with 200':
        readers.unanswered === 0 && readers.answers.every(({ status }) => status === 200),
      'honest readers notice little': p99 <= p99MsMax,
      'slow clients are ended': ended === crawlers,
    }),
  };
}

export const badClients: Fault = {
  name: 'bad-clients',
  async run(scale) {
    const subject = await Subject.start(await folderPlace(), { HEADERS_TIMEOUT_SECONDS: '5' });
    const full = { idle: 2000, crawlers: 50, cuts: 1000, crawlMs: 15_000 };
    const short = { idle: 200, crawlers: 10, cuts: 100, crawlMs: 12_000 };
    try {
      return await withBadClients(subject, scale === 'full' ? full : short);
    } finally {
      await subject.remove();
    }
  },
};
