import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { hostileBodies } from '../../test/sanitizer/hostile-bodies.ts';
import type { Bench } from './bench.ts';
import { hostileInputs } from './hostile-inputs.ts';
import { type Answer, send } from './load.ts';
import { judged, markdownTable, spreadOf, whole } from './report.ts';
import { newJob, restRequest } from './requests.ts';
import { processMegabytes, servicePlan, startServer } from './servers.ts';

export const about =
  'hostile HTML from two companies and what two others notice, and what wrong inputs cost, on the embedded database';
export const defaults: Bench['defaults'] = {};

const [posts, seconds] = [5000, 240];
const [readEveryMs, createEveryMs, hostileAtOnce] = [50, 250, 8];
const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver ' +
  '<a href="https://example.com/">a página</a>.</p><ul><li>um</li><li>dois <b>três</b></li></ul>';
const honest = [5, 5, 5, 40, 150].map((sections) => section.repeat(sections));
const hostile = Object.values(hostileBodies);
const job = {
  title: 'Engenheiro de software',
  contact_instructions: 'Envie o seu currículo.',
  ...({ category_id: 101, district_id: 13, application_method: 'system' } as const),
};

/** A company with a production credential, made by the command line beside the service. */
async function makeCompany(env: Record<string, string>, name: string): Promise<string> {
  const ops = async (...args: string[]) => {
    const program = [join(packageRoot, 'dist/src/cli/ops.js'), ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  };
  const facts = ['--plan', 'Especial', '--verified', '--production-approved'];
  const { company_id: id } = await ops('company', 'create', '--name', name, ...facts);
  const rights = ['--environment', 'production', '--access', 'write'];
  return (await ops('credential', 'issue', '--company', String(id), ...rights)).secret;
}

/** Sends at fixed intervals whether or not the answers come, so that a stalled server counts in full. */
async function steadily(everyMs: number, isOver: () => boolean, sendOne: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(sendOne());
  }
  await Promise.all(sent);
}

function rowOf(name: string, answers: readonly Answer[]): string[] {
  const { p50Ms, p99Ms, slowestMs } = spreadOf(answers.map(({ ms }) => ms));
  const statuses = [...new Set(answers.map(({ status }) => status))].sort();
  const counts = statuses.map((status) => `${status}: ${answers.filter((one) => one.status === status).length}`);
  return [name, whole(answers.length), p50Ms.toFixed(1), p99Ms.toFixed(1), whole(slowestMs), counts.join(', ')];
}

export const measure: Bench['measure'] = async (_settings, run) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
  run.undo(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  const { origin, pid } = await startServer(servicePlan(packageRoot, env), run);
  const tokens: string[] = [];
  for (const name of ['Author', 'Reader', 'Attacker 1', 'Attacker 2']) tokens.push(await makeCompany(env, name));
  const [author = '', reader = '', ...attackers] = tokens;
  const nth = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;
  const post = (token: string, body: string) => send(origin, restRequest('createJob', token, newJob({ ...job, body })));
  const read = () => send(origin, restRequest('listCategories', reader, {}));
  // Until sanitizer and compiler are warm.
  for (let number = 0; number < 30; number++) await Promise.all([post(author, nth(honest, number)), read()]);

  const answers = { hostile: [] as Answer[], reads: [] as Answer[], creates: [] as Answer[] };
  const done = () => answers.hostile.length + answers.creates.length;
  const begun = performance.now();
  const isOver = () => run.signal.aborted || done() >= posts || performance.now() - begun >= seconds * 1000;
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
  run.signal.throwIfAborted();
  const { p99Ms } = spreadOf(answers.reads.map(({ ms }) => ms));
  const { slowestMs } = spreadOf(answers.hostile.map(({ ms }) => ms));
  megabytes.push(processMegabytes(pid), processMegabytes(pid, 'VmHWM'));
  const lost = Object.values(answers)
    .flat()
    .filter(({ status }) => ![200, 201, 422, 503].includes(status)).length;
  return [
    markdownTable([
      ['', 'answers', 'p50 ms', 'p99 ms', 'slowest ms', 'by status'],
      rowOf('hostile posts', answers.hostile),
      rowOf('`GET /categories` of another company', answers.reads),
      rowOf('honest HTML of another company', answers.creates),
    ]),
    `${done()} posts in ${whole((performance.now() - begun) / 1000)} s. p99 of the reads in ms: ${judged(p99Ms, 100)}; slowest hostile post: ${judged(slowestMs, 2000, 0)}.
Memory in MB at the start, at the end and at most: ${megabytes.map(whole).join(', ')}. Without a right answer: ${lost}.`,
    await hostileInputs({ origin, pid }, author, job),
  ];
};
