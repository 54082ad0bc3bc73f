import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Attack, attack, type Parties, warmUp } from './html-attack.ts';
import type { Answer } from './load.ts';
import { builtFolder, count, jsonFile, runBench } from './program.ts';
import { type Aim, alignRight, judged, machineNote, publish, spreadOf, sum, whole } from './report.ts';
import { type ChildServer, processCpu, processMegabytes, servicePlan, startServer } from './servers.ts';

const about =
  'Posts bodies of HTML that keep a parser busy, on the embedded database, and measures what other companies notice.';
const options = {
  posts: count('answered, hostile and honest', 5000, 1_000_000),
  seconds: count('at the most', 240, 3600),
  'at-once': count('hostile posts of one attacker', 8, 100),
  json: jsonFile,
  dist: builtFolder,
};
const commandSeconds = 30;
const markEvery = 500;
/** The share of posts before compilers and heaps have settled. */
const settledAfter = 0.2;
const answered = new Set([200, 201, 422, 503]);
const run = promisify(execFile);

/** Creates a company for each, with the operator's command line beside the service. */
async function makeParties(dist: string, env: Record<string, string>): Promise<Parties> {
  const operate = async (...args: string[]) => {
    const program = [join(dist, 'src', 'cli', 'main.js'), ...args, '--json'];
    const options = { env: { ...process.env, ...env }, timeout: commandSeconds * 1000, killSignal: 'SIGKILL' } as const;
    return JSON.parse((await run(process.execPath, program, options)).stdout);
  };
  const make = async (name: string): Promise<string> => {
    const facts = ['--plan', 'Especial', '--verified', '--production-approved'];
    const { company_id: id } = await operate('company', 'create', '--name', name, ...facts);
    const rights = ['--environment', 'production', '--access', 'write'];
    return (await operate('credential', 'issue', '--company', String(id), ...rights)).secret;
  };
  const attackers = [await make('Attacker 1'), await make('Attacker 2')];
  return { attackers, author: await make('Author'), reader: await make('Reader') };
}

/** When called, says who has kept the cores busy since. */
function startUsage({ pid }: ChildServer): () => string {
  const busyMs = ({ times: { user, nice, sys, irq } }: ReturnType<typeof cpus>[number]) => user + nice + sys + irq;
  const now = () => {
    const { user, system } = process.cpuUsage();
    return [performance.now(), processCpu(pid) / 1000, (user + system) / 1000, sum(cpus().map(busyMs))];
  };
  const before = now();
  return () => {
    const [wall = 0, service = 0, own = 0, busy = 0] = now().map((value, index) => value - (before[index] ?? 0));
    const [of, self, others] = [service, own, busy - service - own].map((ms) => (ms / wall).toFixed(2));
    return `cores busy during the attack: service ${of}, this program ${self}, others ${others}`;
  };
}

const heading = ['', 'answers', 'p50 ms', 'p99 ms', 'slowest ms', 'by status'];

function figuresOf(name: string, answers: readonly Answer[]) {
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status || 'none'] = (statuses[status || 'none'] ?? 0) + 1;
  return { name, ...spreadOf(answers.map(({ ms }) => ms)), statuses };
}

const cells = ({ name, answers, p50Ms, p99Ms, slowestMs, statuses }: ReturnType<typeof figuresOf>): string[] => [
  name,
  whole(answers),
  p50Ms.toFixed(1),
  p99Ms.toFixed(1),
  whole(slowestMs),
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${whole(count)}`)
    .join(', '),
];

/** Resident memory at the start, at every 500 posts and at the end. */
function memoryRows({ residents, seconds }: Attack): string[][] {
  const last = residents.at(-1);
  const due = Array.from({ length: Math.ceil((last?.posts ?? 0) / markEvery) }, (_, index) => index * markEvery);
  const marks = [...due.map((posts) => residents.find((resident) => resident.posts >= posts)), last];
  return [
    [`posts in ${whole(seconds)} s`, ...marks.map((mark) => whole(mark?.posts))],
    ['resident MB', ...marks.map((mark) => whole(mark?.megabytes))],
  ];
}

/** Least-squares slope of the memory after the first posts, in MB per 1,000 posts. */
function growthOf({ posts, residents }: Attack): number {
  const settled = residents.filter((resident) => resident.posts >= posts * settledAfter);
  const mean = (values: readonly number[]) => sum(values) / values.length;
  const [x, y] = [mean(settled.map((one) => one.posts)), mean(settled.map((one) => one.megabytes))];
  const covariance = mean(settled.map((one) => (one.posts - x) * (one.megabytes - y)));
  return (1000 * covariance) / mean(settled.map((one) => (one.posts - x) ** 2));
}

function aimsOf(attacked: Attack): { name: string; value: number; aim: Aim }[] {
  const hostile = spreadOf(attacked.hostile.map(({ ms }) => ms));
  const reads = spreadOf(attacked.reads.map(({ ms }) => ms));
  const below = (name: string, value: number, bound: number) => ({ name, value, aim: { is: 'below', bound } as const });
  return [
    below('hostile posts, p99, ms', hostile.p99Ms, 2000),
    below('hostile posts, slowest, ms', hostile.slowestMs, 2000),
    below('GET /categories of another company, p99, ms', reads.p99Ms, 100),
    below('growth of resident memory, MB by 1,000 posts', growthOf(attacked), 20),
  ];
}

await runBench('bench:html', about, options, async ({ posts, seconds, 'at-once': atOnce, json, dist }, run) => {
  const loadOf = () => loadavg()[0]?.toFixed(1);
  const loadBefore = loadOf();
  const dataDir = await mkdtemp(join(tmpdir(), 'vaga-bench-'));
  run.undo(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: '', DATA_DIR: dataDir };
  const server = await startServer(servicePlan(dist, { ...env, LOG_LEVEL: 'info' }), run);
  const parties = await makeParties(dist, env);
  await warmUp(server.origin, parties, run.signal);
  const usageSince = startUsage(server);
  const resident = () => processMegabytes(server.pid);
  const attacked = await attack(server.origin, parties, { posts, seconds, atOnce }, resident, run.signal);
  const { hostile, reads, creates } = attacked;
  const notes = [
    machineNote('embedded database'),
    `load average ${loadBefore} before, ${loadOf()} after; ${usageSince()}`,
    `Two companies post hostile bodies of 30,000 characters, ${atOnce} each at the same time; a third posts honest HTML`,
    'of 1 to 30 KB and a fourth reads, both on a steady beat. All share the cores with this program.',
  ];
  const figures = [
    figuresOf('hostile posts', hostile),
    figuresOf('GET /categories of another company', reads),
    figuresOf('honest HTML of another company', creates),
  ];
  const shapes = [...new Set(hostile.map(({ shape }) => shape))].map((name) =>
    figuresOf(
      name,
      hostile.filter(({ shape }) => shape === name),
    ),
  );
  const highest = `  highest: ${whole(processMegabytes(server.pid, 'VmHWM'))} MB`;
  const aims = aimsOf(attacked);
  const verdicts = aims.map(({ name, value, aim }) => `  ${name}: ${judged(value, aim, 1)}`);
  const parts = [
    alignRight([heading, ...figures.map(cells)]),
    [...alignRight(memoryRows(attacked)), highest],
    verdicts,
  ];
  publish(notes, parts, json, { posts, seconds, atOnce, figures, shapes, aims, residents: attacked.residents });
  const faults = [...hostile, ...reads, ...creates].filter(({ status }) => !answered.has(status)).length;
  if (attacked.posts < posts) throw new Error(`only ${attacked.posts} posts in ${seconds} s`);
  if (faults > 0) throw new Error(`${faults} requests had no answer or one that nothing should have`);
});
