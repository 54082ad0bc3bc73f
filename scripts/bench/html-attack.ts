import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies } from '../../test/sanitizer/hostile-bodies.ts';
import { type Answer, send } from './load.ts';
import { newJob, restRequest } from './requests.ts';

/** Production credentials with write access, of a company each, on a plan without a posting limit. */
export type Parties = { readonly attackers: readonly string[]; readonly author: string; readonly reader: string };
export type Attack = Awaited<ReturnType<typeof attack>>;

const warmUpPosts = 30;
const [readEveryMs, createEveryMs, lookEveryMs] = [50, 250, 250];

const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver ' +
  '<a href="https://example.com/">a página</a>.</p><ul><li>um</li><li>dois <b>três</b></li></ul>';
const job = {
  title: 'Engenheiro de software',
  contact_instructions: 'Envie o seu currículo.',
  category_id: 101,
  district_id: 13,
  application_method: 'system',
} as const;
const honestShapes = [5, 5, 5, 40, 150].map((sections) => section.repeat(sections));
const hostileShapes = Object.entries(hostileBodies);
const agent = new Agent({ keepAlive: true });

const nth = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;

const post = (origin: string, token: string, body: string): Promise<Answer> =>
  send(agent, origin, restRequest('createJob', token, newJob({ ...job, body })));
const read = (origin: string, token: string): Promise<Answer> =>
  send(agent, origin, restRequest('listCategories', token, {}));

/** Sends at fixed intervals whether or not the answers come, so that a stalled server counts in full. */
async function steadily(everyMs: number, isOver: () => boolean, sendOne: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(sendOne());
  }
  await Promise.all(sent);
}

/** Honest creates and reads, one after the other, until sanitizer and compiler are warm; throws if a create is refused. */
export async function warmUp(origin: string, { author, reader }: Parties, signal: AbortSignal): Promise<void> {
  for (let number = 0; number < warmUpPosts; number++) {
    signal.throwIfAborted();
    const { status } = await post(origin, author, nth(honestShapes, number));
    if (status !== 201 && status !== 503)
      throw new Error(`an honest job was answered with ${status} before the attack`);
    await read(origin, reader);
  }
}

/**
 * Every attacker posts hostile bodies of every shape, `atOnce` at a time, while the reader reads and the author posts. Ends after
 * so many answered posts, or seconds.
 */
export async function attack(
  origin: string,
  { attackers, author, reader }: Parties,
  bounds: { readonly posts: number; readonly seconds: number; readonly atOnce: number },
  residentMegabytes: () => number,
  signal: AbortSignal,
) {
  const begunAt = performance.now();
  const secondsSince = () => (performance.now() - begunAt) / 1000;
  const hostile: (Answer & { shape: string })[] = [];
  const creates: Answer[] = [];
  const reads: Answer[] = [];
  const residents: { posts: number; megabytes: number }[] = [];
  const posts = () => hostile.length + creates.length;
  const isOver = () => posts() >= bounds.posts || secondsSince() >= bounds.seconds || signal.aborted;
  let number = 0;
  const look = () => residents.push({ posts: posts(), megabytes: residentMegabytes() });
  const assault = async (token: string) => {
    while (!isOver()) {
      const [shape, body] = nth(hostileShapes, number++);
      hostile.push({ shape, ...(await post(origin, token, body)) });
    }
  };
  look();
  const looking = setInterval(look, lookEveryMs);
  await Promise.all([
    steadily(readEveryMs, isOver, async () => reads.push(await read(origin, reader))),
    steadily(createEveryMs, isOver, async () =>
      creates.push(await post(origin, author, nth(honestShapes, creates.length))),
    ),
    ...attackers.flatMap((token) => Array.from({ length: bounds.atOnce }, () => assault(token))),
  ]);
  clearInterval(looking);
  look();
  agent.destroy();
  signal.throwIfAborted();
  return { seconds: secondsSince(), posts: posts(), hostile, creates, reads, residents };
}
