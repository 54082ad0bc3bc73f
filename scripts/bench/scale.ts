import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Answers, askInTurn, type Bounds } from './ask-in-turn.ts';
import { type ChildServer, limitsLifted, startServer } from './child-server.ts';
import { type BenchDatabase, createDatabase, migrateDatabase } from './database.ts';
import { machineNote } from './machine.ts';
import { companies, forgetNewJobs, loadScaleData, type ScaleData, sampledJobs } from './scale-data.ts';
import { type Operation, operations, pageOfBig, reading } from './scale-questions.ts';
import { type Comparison, type Latency, latencyOf, ratiosOf, renderScale } from './scale-report.ts';

// npm run bench:scale: what each operation takes of a company whose jobs stay as many while everybody's grow a thousandfold.

const dist = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'dist');
const usage = 'npm run bench:scale -- [--jobs N] [--rounds N] [--seconds N] [--connections N] [--json FILE]';
const aims = { growth: 1.3, page: 3 };
const pages = { near: 1, far: 1000, perPage: [25, 100] };
const firstWarmUp = { answersMax: 4000, seconds: 20 };
const warmUp = { answersMax: 300, seconds: 4 };

interface Settings {
  readonly jobs: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly json: string | undefined;
}

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { jobs: text, rounds: text, seconds: text, connections: text, json: text },
  });
  const count = (name: Exclude<keyof Settings, 'json'>, fallback: number, min: number, max: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value / min) && value >= min && value <= max) return value;
    throw new Error(`--${name} must be a multiple of ${min}, at most ${max}\nusage: ${usage}`);
  };
  return {
    jobs: count('jobs', 1_000_000, 20_000, 10_000_000),
    rounds: count('rounds', 5, 1, 20),
    seconds: count('seconds', 4, 1, 60),
    connections: count('connections', 1, 1, 100),
    json: values.json,
  };
}

/** A database of one size with a service of its own. */
interface Stage {
  readonly database: BenchDatabase;
  readonly data: ScaleData;
  readonly server: ChildServer;
}

/** Ends and drops, last first, what has been made so far. */
type Undo = (() => Promise<void>)[];

async function openStage(jobs: number, withBig: boolean, undo: Undo, signal: AbortSignal): Promise<Stage> {
  signal.throwIfAborted();
  const database = await createDatabase(`_${jobs}`);
  undo.push(() => database.drop());
  migrateDatabase(dist, database.url);
  const started = performance.now();
  const data = await loadScaleData(database.url, jobs, withBig, signal);
  const seconds = (performance.now() - started) / 1000;
  console.error(`loaded ${jobs} jobs in ${seconds.toFixed(0)} s, ${(data.bytes / 1e6).toFixed(0)} MB`);
  const limits = { ...limitsLifted, LOG_LEVEL: 'error' };
  const env = { DATABASE_URL: database.url, LIMITS_NAMESPACE: `bench-${process.pid}-${jobs}`, ...limits };
  const server = await startServer({ name: `${jobs} jobs`, program: [join(dist, 'src', 'main.js')], env });
  undo.push(() => server.stop());
  return { database, data, server };
}

interface Entrant {
  readonly operation: Operation;
  readonly stage: Stage;
}

/** One load of all, round by round. */
async function measure(settings: Settings, entrants: readonly Entrant[], signal: AbortSignal): Promise<Latency[]> {
  const listeners = entrants.map(({ operation, stage: { data, server } }) => ({
    origin: server.origin,
    next: operation.asks(data),
  }));
  const run = async (bounds: Partial<Bounds>): Promise<Answers[]> => {
    const answers = await askInTurn(listeners, { ...settings, ...bounds }, signal);
    for (const { operation, stage } of entrants)
      if (operation.makesJobs) await forgetNewJobs(stage.database.url, stage.data);
    return answers;
  };
  await run(warmUp);
  const rounds: Answers[][] = [];
  while (rounds.length < settings.rounds) rounds.push(await run({}));
  return entrants.map(({ operation, stage }, index) =>
    latencyOf(
      operation.name,
      stage.data.jobs,
      rounds.flatMap((answers) => answers[index] ?? []),
    ),
  );
}

interface Outcome {
  readonly latencies: Latency[];
  readonly comparisons: Comparison[];
}

const compare = (name: string, aim: number, [least, most]: readonly (Latency | undefined)[]): Comparison[] =>
  least && most ? [{ name, least, most, aim }] : [];

async function measureAll(settings: Settings, stages: readonly Stage[], signal: AbortSignal): Promise<Outcome> {
  const outcome: Outcome = { latencies: [], comparisons: [] };
  for (const operation of operations) {
    const latencies = await measure(
      settings,
      stages.map((stage) => ({ operation, stage })),
      signal,
    );
    outcome.latencies.push(...latencies);
    outcome.comparisons.push(...compare(operation.name, aims.growth, [latencies[0], latencies.at(-1)]));
  }
  const stage = stages.at(-1);
  if (!stage?.data.big) return outcome;
  for (const perPage of pages.perPage) {
    const far = Math.min(pages.far, Math.ceil(stage.data.big.jobs / perPage));
    const entrants = [pages.near, far].map((page) => ({ operation: pageOfBig(page, perPage), stage }));
    const latencies = await measure(settings, entrants, signal);
    outcome.latencies.push(...latencies);
    outcome.comparisons.push(...compare(`page ${far} / page 1, ${perPage} a page`, aims.page, latencies));
  }
  return outcome;
}

function notesOn({ rounds, seconds, connections }: Settings, stages: readonly Stage[]): string[] {
  const [first, last] = [stages[0], stages.at(-1)];
  if (!first || !last) return [];
  const { version, settings } = first.database;
  return [
    machineNote(`PostgreSQL ${version} (${settings})`),
    `${companies.toLocaleString('en')} companies, and as many jobs as the columns say, ${(last.data.bytes / 1e9).toFixed(1)} GB at the most. ` +
      `Asked for: ten companies with ${sampledJobs / 10} jobs each`,
    `at every size; pages are those of one with ${last.data.big?.jobs.toLocaleString('en') ?? 0} jobs. A database and a service for each size;`,
    `connections: ${connections}, each asks one after the other, ${rounds} times ${seconds} s for an operation, so that noise meets all alike.`,
    `Load, services and database share the cores. Created jobs are deleted after each round. Vacuumed once, after loading.`,
    `Memory of the services in the end: ${stages.map(({ server }) => `${server.residentMb()} MB`).join(', ')}.`,
  ];
}

async function main(): Promise<void> {
  const settings = readSettings();
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => interruption.abort(new Error(`ended by ${name}`)));
  const { signal } = interruption;
  const undo: Undo = [];
  try {
    const sizes = [sampledJobs, settings.jobs / 10, settings.jobs];
    const stages: Stage[] = [];
    for (const jobs of sizes) stages.push(await openStage(jobs, jobs === settings.jobs, undo, signal));
    const first = stages.map(({ server, data }) => ({ origin: server.origin, next: reading.asks(data) }));
    await askInTurn(first, { ...settings, ...firstWarmUp }, signal);
    const { latencies, comparisons } = await measureAll(settings, stages, signal);
    const notes = notesOn(settings, stages);
    console.log(renderScale(notes, sizes, latencies, comparisons));
    const ratios = comparisons.map((comparison) => ({ name: comparison.name, ...ratiosOf(comparison) }));
    const { json } = settings;
    if (json) writeFileSync(json, `${JSON.stringify({ notes, settings, latencies, ratios }, null, 2)}\n`);
    if (latencies.some(({ failures }) => failures > 0))
      throw new Error('some requests were not answered as they should be');
  } finally {
    for (const end of undo.reverse()) await end();
  }
}

main().catch((error: unknown) => {
  console.error(`bench:scale: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
