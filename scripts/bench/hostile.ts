import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { hostileBodies } from '../../test/sanitizer/hostile-bodies.ts';
import { judged, printTable, quantile, whole } from './report.ts';
import { type Answer, type HttpRequest, type Input, newJob, requestOver, restRequest, send } from './requests.ts';
import { atEnd, type ChildServer, processCpu, processMegabytes, startService } from './servers.ts';

const [readEveryMs, createEveryMs, hostileAtOnce] = [50, 250, 8];
const section =
  '<h2>Função</h2><p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais; ver ' +
  '<a href="https://example.com/">a página</a>.</p><ul><li>um</li><li>dois <b>três</b></li></ul>';
const honest = [5, 5, 5, 40, 150].map((sections) => section.repeat(sections));
const hostile = Object.values(hostileBodies);
const job = {
  title: 'Engenheiro de software',
  contact_instructions: 'Envie o seu currículo.',
  ...{ category_id: 101, district_id: 13, application_method: 'system' },
};

export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  const server = await startService(packageRoot, env);
  const tokens: string[] = [];
  for (const name of ['Author', 'Reader', 'Attacker 1', 'Attacker 2'])
    tokens.push(await makeCompany(env, name, '--production-approved'));
  const refused = await makeCompany(env, 'Refused');
  await sendHtml(server, tokens, isShort ? [100, 10] : [5000, 240]);
  await sendWrongInputs(server, wrongInputs(tokens[0] ?? '', refused), isShort ? 1 : 5);
}

/** A company with a production credential, created by the command line beside the service. */
async function makeCompany(env: Record<string, string>, name: string, ...more: string[]): Promise<string> {
  const ops = async (...args: string[]) => {
    const program = [join(packageRoot, 'dist/src/cli/ops.js'), ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...env } });
    return JSON.parse(stdout);
  };
  const facts = ['--plan', 'Especial', '--verified', ...more];
  const { company_id: id } = await ops('company', 'create', '--name', name, ...facts);
  const rights = ['--environment', 'production', '--access', 'write'];
  return (await ops('credential', 'issue', '--company', String(id), ...rights)).secret;
}

/** Sends at fixed intervals, even if answers are missing, so that a stalled server counts in full. */
async function steadily(everyMs: number, isOver: () => boolean, sendOne: () => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let due = performance.now(); !isOver(); due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(sendOne());
  }
  await Promise.all(sent);
}

/** Two companies send hostile HTML as fast as they can; a third creates with honest HTML and a fourth reads, both at fixed intervals. */
async function sendHtml(
  { origin, pid }: ChildServer,
  [author = '', reader = '', ...attackers]: readonly string[],
  [posts, seconds]: readonly [number, number],
): Promise<void> {
  const nth = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;
  const post = (token: string, body: string) => send(origin, restRequest('createJob', token, newJob({ ...job, body })));
  const read = () => send(origin, restRequest('listCategories', reader, {}));
  // Warms up the sanitizer and the compiler.
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

const fill = (item: unknown, count: number): unknown[] => Array(count).fill(item);
const named = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, index): [string, number] => [`${prefix}${index}`, 1]));
/** Unknown names that resemble known ones. */
const similar = named(20, 'contact_instructions_experience_years_professional_requirem');
const wrong = fill(7, 50);
const wrongLists = { education_details: wrong, professional_requirements: wrong, language_requirements: wrong };

type Kind = readonly [kind: string, status: number, next: () => HttpRequest];

/**
 * The most expensive valid request (a job with every text and list at its maximum), and inputs that are wrong in many ways. `refused` is a
 * token of a company without approval.
 */
function wrongInputs(token: string, refused: string): readonly Kind[] {
  const list = fill('x'.repeat(500), 50);
  const largest = {
    body: '<p>Procuramos <strong>engenheiro</strong> de <em>software</em> &amp; mais.</p>'.repeat(380),
    contact_instructions: 'x'.repeat(3000),
    ...{ education_details: list, professional_requirements: list, language_requirements: list },
  };
  const nulls = fill(null, 11_000);
  const post = (fields: object) => restRequest('createJob', token, newJob({ ...job, ...fields }));
  const call = (operationId: 'createJob' | 'listJobs', input: Input) => requestOver.mcp(operationId, token, input);
  const batchOf20 = (next: () => HttpRequest): HttpRequest => {
    const [first, ...others] = Array.from({ length: 20 }, next) as [HttpRequest, ...HttpRequest[]];
    const headers = { ...first.headers, 'mcp-protocol-version': '2025-03-26' };
    return { ...first, headers, body: `[${[first, ...others].map(({ body }) => body)}]` };
  };
  const numbers = (count: number) => ({ education_details: fill(7, count) });
  const large = newJob({ ...job, ...numbers(30_000) });
  /** Refused whatever the body, which is read only for the id of the message. */
  const unknownToken = `vaga_live_${'x'.repeat(40)}`;
  const listWith = (count: number) => call('listJobs', { query: named(count) });
  return [
    ['a valid job of 108 KB', 201, () => post(largest)],
    ['a job of 126 KB that breaks one rule', 422, () => post({ requirements: 'x'.repeat(129_000) })],
    ['64,000 numbers in `education_details`', 422, () => post(numbers(64_000))],
    ['the same over MCP, 30,000 numbers', 200, () => call('createJob', large)],
    ['the same with a token that does not exist', 401, () => requestOver.mcp('createJob', unknownToken, large)],
    ['the same with the token of a company without approval', 403, () => requestOver.mcp('createJob', refused, large)],
    ['the same over REST, where the body is not read', 403, () => restRequest('createJob', refused, large)],
    ['22,000 nulls in two lists', 422, () => post({ education_details: nulls, language_requirements: nulls })],
    ['9,000 unknown properties', 422, () => post(named(9000))],
    ['MCP `list_jobs` with 12,500 unknown arguments', 200, () => listWith(12_500)],
    ['`GET /jobs` with 1,800 query names', 422, () => restRequest('listJobs', token, { query: named(1800) })],
    ['a batch of 20 `list_jobs` with 600 each', 200, () => batchOf20(() => listWith(600))],
    ['20 unknown properties with names like known ones', 422, () => post(similar)],
    ['a batch of 20 `create_job` with 20 each', 200, () => batchOf20(() => call('createJob', { query: similar }))],
    [
      'a batch of 20 `create_job` with 50 wrong items in each list',
      200,
      () => batchOf20(() => call('createJob', newJob({ ...job, ...wrongLists }))),
    ],
  ];
}

/** CPU of the whole process for each kind of input, relative to the first. */
async function sendWrongInputs({ origin, pid }: ChildServer, kinds: readonly Kind[], rounds: number): Promise<void> {
  const sentEach = 10;
  const cpu = kinds.map(() => 0);
  for (let round = 0; round <= rounds; round++)
    for (const [index, [kind, expected, next]] of kinds.entries()) {
      const before = processCpu(pid);
      for (let number = 0; number < sentEach; number++) {
        const { status } = await send(origin, next());
        if (status !== expected) throw new Error(`${kind}: ${status}`);
      }
      // The first round warms up.
      if (round > 0) cpu[index] = (cpu[index] ?? 0) + processCpu(pid) - before;
    }
  const rows = cpu.map((total, index) => [
    kinds[index]?.[0] ?? '',
    (total / rounds / sentEach / 1000).toFixed(1),
    judged(total / (cpu[0] ?? 0), 1.5, 2),
  ]);
  printTable([['one request', 'CPU ms', 'of the valid one'], ...rows]);
}
