import { type Answer, askInTurn } from './ask-in-turn.ts';
import { type ChildServer, processMegabytes, servicePlan, startServer } from './child-server.ts';
import { type BenchDatabase, openDatabase } from './database.ts';
import type { Bounds } from './load.ts';
import { type Run, runBench } from './program.ts';
import { type Aim, alignRight, isMet, machineNote, publish, spreadOf } from './report.ts';
import { companies, forgetNewJobs, loadScaleData, type ScaleData, sampledJobs } from './scale-data.ts';
import { type Operation, operations, pageOfBig, reading } from './scale-questions.ts';
import { builtFolder, count, jsonFile, type Settings } from './settings.ts';

const about = `Asks for each operation of companies whose jobs stay as many while everybody's grow a thousandfold: three databases, each with
a service of its own, one after the other for every single request.`;
const options = {
  jobs: count('in the largest database', 1_000_000, 10_000_000, 20_000),
  rounds: count('rounds of each operation', 5, 20),
  seconds: count('of load in each round', 4, 60),
  connections: count('at a time', 1, 100),
  json: jsonFile,
  dist: builtFolder,
};
const aims = { growth: 1.3, page: 3 };
const pages = { near: 1, far: 1000, perPage: [25, 100] };
const firstWarmUp = { answersMax: 4000, seconds: 20 };
const warmUp = { answersMax: 300, seconds: 4 };

/** A database of one size with a service of its own. */
interface Stage {
  readonly database: BenchDatabase;
  readonly data: ScaleData;
  readonly server: ChildServer;
}

async function openStage(jobs: number, withBig: boolean, dist: string, run: Run): Promise<Stage> {
  const database = await openDatabase(dist, run);
  const started = performance.now();
  const data = await loadScaleData(database.url, jobs, withBig, run.signal);
  const seconds = (performance.now() - started) / 1000;
  console.error(`loaded ${jobs} jobs in ${seconds.toFixed(0)} s, ${(data.bytes / 1e6).toFixed(0)} MB`);
  const env = { DATABASE_URL: database.url, LIMITS_NAMESPACE: `bench-${process.pid}-${jobs}` };
  return { database, data, server: await startServer(servicePlan(dist, env, `${jobs} jobs`), run) };
}

type Latency = Awaited<ReturnType<typeof measure>>[number];
type Comparison = ReturnType<typeof compared>[number];
type Entrant = readonly [Operation, Stage];

/** One load of all, round by round. */
async function measure(settings: Settings<typeof options>, entrants: readonly Entrant[], signal: AbortSignal) {
  const listeners = entrants.map(([operation, { data, server }]) => ({
    origin: server.origin,
    next: operation.asks(data),
  }));
  const ask = async (bounds: Partial<Bounds>): Promise<Answer[][]> => {
    const answers = await askInTurn(listeners, { ...settings, ...bounds }, signal);
    for (const [{ makesJobs }, { database, data }] of entrants) if (makesJobs) await forgetNewJobs(database.url, data);
    return answers;
  };
  await ask(warmUp);
  const rounds: Answer[][][] = [];
  while (rounds.length < settings.rounds) rounds.push(await ask({}));
  return entrants.map(([{ name }, { data }], index) => {
    const own = rounds.flatMap((answers) => answers[index] ?? []);
    const failures = own.filter(({ status }) => status < 200 || status >= 300).length;
    return { operation: name, jobs: data.jobs, ...spreadOf(own.map(({ ms }) => ms)), failures };
  });
}

/** What the last of some latencies is of the first. */
function compared(name: string, bound: number, latencies: readonly Latency[]) {
  const [first, last] = [latencies[0], latencies.at(-1)];
  if (!first || !last) return [];
  const aim: Aim = { is: 'at most', bound };
  return [{ name, p50: last.p50Ms / first.p50Ms, p99: last.p99Ms / first.p99Ms, aim }];
}

async function measureAll(settings: Settings<typeof options>, stages: readonly Stage[], signal: AbortSignal) {
  const latencies: Latency[] = [];
  const comparisons: Comparison[] = [];
  const compare = async (name: string, bound: number, entrants: readonly Entrant[]) => {
    const measured = await measure(settings, entrants, signal);
    latencies.push(...measured);
    comparisons.push(...compared(name, bound, measured));
  };
  for (const operation of operations)
    await compare(
      operation.name,
      aims.growth,
      stages.map((stage) => [operation, stage]),
    );
  const stage = stages.at(-1);
  for (const perPage of stage?.data.big ? pages.perPage : []) {
    const far = Math.min(pages.far, Math.ceil((stage?.data.big?.jobs ?? 0) / perPage));
    const entrants = [pages.near, far].flatMap((page) => (stage ? [[pageOfBig(page, perPage), stage] as const] : []));
    await compare(`page ${far} / page 1, ${perPage} a page`, aims.page, entrants);
  }
  return { latencies, comparisons };
}

function notesOn({ rounds, seconds, connections }: Settings<typeof options>, stages: readonly Stage[]): string[] {
  const last = stages.at(-1);
  return [
    machineNote(last?.database.note ?? ''),
    `${companies.toLocaleString('en')} companies, and as many jobs as the columns say, ${((last?.data.bytes ?? 0) / 1e9).toFixed(1)} GB at the most. ` +
      `Asked for: ten companies with ${sampledJobs / 10} jobs each`,
    `at every size; pages are those of one with ${last?.data.big?.jobs.toLocaleString('en') ?? 0} jobs. A database and a service for each size;`,
    `connections: ${connections}, each asks one after the other, ${rounds} times ${seconds} s for an operation, so that noise meets all alike.`,
    `Load, services and database share the cores. Created jobs are deleted after each round. Vacuumed once, after loading.`,
    `Memory of the services in the end: ${stages.map(({ server }) => `${processMegabytes(server.pid).toFixed(0)} MB`).join(', ')}.`,
  ];
}

/** A row for each operation: its latencies by the number of jobs. */
function latencyRows(sizes: readonly number[], latencies: readonly Latency[]): string[][] {
  const shown = sizes.map((jobs) => jobs.toLocaleString('en'));
  const heading = ['ms at … jobs', ...shown.map((jobs) => `p50 ${jobs}`), ...shown.map((jobs) => `p99 ${jobs}`)];
  const rows = [...new Set(latencies.map(({ operation }) => operation))].map((name) => {
    const own = sizes.map((jobs) => latencies.find((row) => row.operation === name && row.jobs === jobs));
    return [name, ...own.map((row) => row?.p50Ms.toFixed(1) ?? ''), ...own.map((row) => row?.p99Ms.toFixed(1) ?? '')];
  });
  return [heading, ...rows];
}

const areMet = ({ p50, p99, aim }: Comparison): boolean => [p50, p99].every((value) => isMet(value, aim));

await runBench('bench:scale', about, options, async (settings, run) => {
  const sizes = [sampledJobs, settings.jobs / 10, settings.jobs];
  const stages: Stage[] = [];
  for (const jobs of sizes) stages.push(await openStage(jobs, jobs === settings.jobs, settings.dist, run));
  const first = stages.map(({ server, data }) => ({ origin: server.origin, next: reading.asks(data) }));
  await askInTurn(first, { ...settings, ...firstWarmUp }, run.signal);
  const { latencies, comparisons } = await measureAll(settings, stages, run.signal);
  const ratios = comparisons.map((comparison) => {
    const { name, p50, p99, aim } = comparison;
    return [name, p50.toFixed(2), p99.toFixed(2), aim.bound.toFixed(1), areMet(comparison) ? 'met' : 'missed'];
  });
  const tables = [
    alignRight(latencyRows(sizes, latencies)),
    alignRight([['', 'p50', 'p99', 'at most', ''], ...ratios]),
  ];
  publish(notesOn(settings, stages), tables, settings.json, { settings, latencies, comparisons });
  if (latencies.some(({ failures }) => failures > 0))
    throw new Error('some requests were not answered as they should be');
});
