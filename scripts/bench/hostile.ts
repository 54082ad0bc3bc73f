import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBodies } from '../../test/sanitizer/hostile-bodies.ts';
import { judged, printTable, quantile, whole } from './report.ts';
import { type Answer, newJob, restRequest, send } from './requests.ts';
import { type ChildServer, processMegabytes, startEmbedded } from './servers.ts';

const [readEveryMs, createEveryMs, hostileAtOnce] = [50, 250, 8];
const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver ' +
  '<a href="https://example.com/">a página</a>.</p><ul><li>um</li><li>dois <b>três</b></li></ul>';
const honest = [5, 5, 5, 40, 150].map((sections) => section.repeat(sections));
const hostile = Object.values(hostileBodies);
/** The input of a valid job, without the required `body`. */
export const job = {
  title: 'Engenheiro de software',
  contact_instructions: 'Envie o seu currículo.',
  ...{ category_id: 101, district_id: 13, application_method: 'system' },
};

export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const { server, makeCompany } = await startEmbedded();
  const tokens: string[] = [];
  for (const name of ['Author', 'Reader', 'Attacker 1', 'Attacker 2'])
    tokens.push(await makeCompany(name, '--production-approved'));
  await sendHtml(server, tokens, isShort ? [100, 10] : [5000, 240]);
}

/** Sends at fixed intervals without waiting for answers, so that all requests sent during a stall count as slow. */
async function steadily(everyMs: number, isOver: () => boolean, sendOne: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(sendOne());
  }
  await Promise.all(sent);
}

/** Two companies send hostile HTML as fast as they can; a third creates jobs with honest HTML and a fourth reads, both at fixed intervals. */
async function sendHtml(
  { origin, pid }: ChildServer,
  [author = '', reader = '', ...attackers]: readonly string[],
  [posts, seconds]: readonly [number, number],
): Promise<void> {
  const nth = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;
  const post = (token: string, body: string) => send(origin, restRequest('createJob', token, newJob({ ...job, body })));
  const read = () => send(origin, restRequest('listCategories', reader, {}));
  // Warms up the sanitizer and V8.
  for (let number = 0; number < 30; number++) await Promise.all([post(author, nth(honest, number)), read()]);

  const answers = { hostile: [] as Answer[], reads: [] as Answer[], creates: [] as Answer[] };
  const done = () => answers.hostile.length + answers.creates.length;
  const begun = performance.now();
  const isOver = () => done() >= posts || performance.now() - begun >= seconds * 1000;
  const megabytes = [processMegabytes(pid)];
  const assault = async (token: string, first: number) => {
    for (let number = first; !isOver(); number += attackers.length * hostileAtOnce)
      answers.hostile.push(await post(token, nth(hostile, number)));
  };
  await Promise.all([
    steadily(readEveryMs, isOver, async () => answers.reads.push(await read())),
    steadily(createEveryMs, isOver, async () =>
      answers.creates.push(await post(author, nth(honest, answers.creates.length))),
    ),
    ...attackers.flatMap((token, company) =>
      Array.from({ length: hostileAtOnce }, (_, number) => assault(token, company * hostileAtOnce + number)),
    ),
  ]);
  megabytes.push(processMegabytes(pid), processMegabytes(pid, 'VmHWM'));
  const msOf = (own: readonly Answer[]) => own.map(({ ms }) => ms);
  const rowOf = (name: string, own: readonly Answer[]): string[] => {
    const statuses = [...new Set(own.map(({ status }) => status))].sort();
    const counts = statuses.map((status) => `${status}: ${own.filter((one) => one.status === status).length}`);
    const spread = [0.5, 0.99].map((share) => quantile(msOf(own), share).toFixed(1));
    return [name, whole(own.length), ...spread, whole(Math.max(...msOf(own))), counts.join(', ')];
  };
  printTable([
    ['', 'answers', 'p50 ms', 'p99 ms', 'slowest ms', 'by status'],
    rowOf('hostile posts', answers.hostile),
    rowOf('`GET /categories` of another company', answers.reads),
    rowOf('honest HTML of another company', answers.creates),
  ]);
  const reads = judged(quantile(msOf(answers.reads), 0.99), 100);
  const slowest = judged(Math.max(...msOf(answers.hostile)), 2000, 0);
  console.log(`${done()} posts in ${whole((performance.now() - begun) / 1000)} s. \
p99 of the reads in ms: ${reads}; slowest hostile post: ${slowest}.
Memory in MB at the start, at the end and at most: ${megabytes.map(whole).join(', ')}.\n`);
}
