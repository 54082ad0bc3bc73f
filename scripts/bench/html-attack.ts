import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies } from '../../test/html/hostile-bodies.ts';
import type { JobInput } from './sample-data.ts';

/** Production credentials with write access, of a company each, on a plan without a posting limit. */
export interface Parties {
  readonly attackers: readonly string[];
  readonly author: string;
  readonly reader: string;
}

/** The attack ends with whichever comes first. */
export interface Bounds {
  /** Answered posts, hostile and honest. */
  readonly posts: number;
  readonly seconds: number;
  /** Hostile posts of one attacker under way at the same time. */
  readonly atOnce: number;
}

export interface Answer {
  /** 0 where there was none within the time-out. */
  readonly status: number;
  readonly ms: number;
}

/** Resident memory after so many answered posts. */
export interface Resident {
  readonly posts: number;
  readonly megabytes: number;
}

export interface Attack {
  readonly seconds: number;
  readonly posts: number;
  readonly hostile: ReadonlyArray<Answer & { readonly shape: string }>;
  readonly creates: readonly Answer[];
  readonly reads: readonly Answer[];
  readonly residents: readonly Resident[];
}

const warmUpPosts = 30;
const timeoutMs = 10_000;
const readEveryMs = 50;
const createEveryMs = 250;
const lookEveryMs = 250;

const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver ' +
  '<a href="https://example.com/">a página</a>.</p><ul><li>um</li><li>dois <b>três</b></li></ul>';
const honestShapes = [5, 5, 5, 40, 150].map((sections) => payload(section.repeat(sections)));
const hostileShapes = Object.entries(hostileBodies).map(([shape, body]) => ({ shape, payload: payload(body) }));

function payload(body: string): string {
  const job: JobInput = {
    title: 'Engenheiro de software',
    body,
    contact_instructions: 'Envie o seu currículo.',
    category_id: 101,
    district_id: 13,
    application_method: 'system',
  };
  return JSON.stringify(job);
}

const turn = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;

/** Never throws. */
async function ask(url: string, token: string, post?: string): Promise<Answer> {
  const begunAt = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const created = { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const init = post === undefined ? { headers } : { method: 'POST', headers: created, body: post };
  let status = 0;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    status = response.status;
  } catch {}
  return { status, ms: performance.now() - begunAt };
}

/** Sends on the beat whether or not the answers come, so that a standstill of the server counts in full. */
async function steadily(everyMs: number, isOver: () => boolean, send: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(send());
  }
  await Promise.all(sent);
}

/** Honest creates and reads, one after the other, until sanitizer and compiler are warm. Throws where a create is refused. */
export async function warmUp(origin: string, { author, reader }: Parties, signal: AbortSignal): Promise<void> {
  for (let number = 0; number < warmUpPosts; number++) {
    signal.throwIfAborted();
    const { status } = await ask(`${origin}/v1/jobs`, author, turn(honestShapes, number));
    if (status !== 201 && status !== 503)
      throw new Error(`an honest job was answered with ${status} before the attack`);
    await ask(`${origin}/v1/categories`, reader);
  }
}

/** Every attacker posts hostile bodies of every shape in turn while the reader reads and the author posts. */
export async function attack(
  origin: string,
  parties: Parties,
  bounds: Bounds,
  residentMegabytes: () => number,
  signal: AbortSignal,
): Promise<Attack> {
  const begunAt = performance.now();
  const secondsSince = () => (performance.now() - begunAt) / 1000;
  const hostile: Array<Answer & { shape: string }> = [];
  const creates: Answer[] = [];
  const reads: Answer[] = [];
  const residents: Resident[] = [];
  const posts = () => hostile.length + creates.length;
  const isOver = () => posts() >= bounds.posts || secondsSince() >= bounds.seconds || signal.aborted;
  let number = 0;

  const look = () => residents.push({ posts: posts(), megabytes: residentMegabytes() });
  const assault = async (token: string) => {
    while (!isOver()) {
      const { shape, payload } = turn(hostileShapes, number++);
      hostile.push({ shape, ...(await ask(`${origin}/v1/jobs`, token, payload)) });
    }
  };
  const create = async () =>
    creates.push(await ask(`${origin}/v1/jobs`, parties.author, turn(honestShapes, creates.length)));
  const read = async () => reads.push(await ask(`${origin}/v1/categories`, parties.reader));

  look();
  const looking = setInterval(look, lookEveryMs);
  await Promise.all([
    steadily(readEveryMs, isOver, read),
    steadily(createEveryMs, isOver, create),
    ...parties.attackers.flatMap((token) => Array.from({ length: bounds.atOnce }, () => assault(token))),
  ]);
  clearInterval(looking);
  look();
  signal.throwIfAborted();
  return { seconds: secondsSince(), posts: posts(), hostile, creates, reads, residents };
}
