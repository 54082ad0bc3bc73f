import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ChildServer, type ServerPlan, startServer } from './child-server.ts';
import { type BenchDatabase, createDatabase, migrateDatabase } from './database.ts';
import { type Figures, figuresOf, type Ratio, ratiosOf } from './figures.ts';
import { type Entrant, load, type Questions, type Round } from './load.ts';
import { callsOfGetJob, createsOfJobs, readsOfJobs } from './questions.ts';
import { renderReport } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { assertSameTools } from './same-tools.ts';
import { loadSampleData, type SampleData } from './sample-data.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const usage =
  'npm run bench -- [--rounds N] [--seconds N] [--connections N] [--only rest|mcp] [--json FILE] [--dist DIR]';
const service = 'this service';
const ownRest = 'its GET /jobs/{id}';
const aims = { rest: { peer: 1.2, floor: 0.35 }, mcp: { peer: 2.5, [ownRest]: 0.75 } };
const jobs = 1000;
/** Counted in answers first, so that a slow server is as warm as a fast one. */
const warmUp = { answersMax: 4000, seconds: 10 };

const parts = ['rest', 'mcp'] as const;
type Part = (typeof parts)[number];

interface Settings {
  readonly parts: readonly Part[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Where `npm run build` has put the programs. */
  readonly dist: string;
  readonly json: string | undefined;
}

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { rounds: text, seconds: text, connections: text, only: text, json: text, dist: text },
  });
  const only = parts.filter((part) => values.only === undefined || values.only === part);
  if (only.length === 0) throw new Error(`--only must be one of ${parts.join(', ')}\nusage: ${usage}`);
  const count = (name: 'rounds' | 'seconds' | 'connections', fallback: number, max: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new Error(`--${name} must be a whole number from 1 to ${max}\nusage: ${usage}`);
  };
  return {
    parts: only,
    rounds: count('rounds', 3, 20),
    seconds: count('seconds', 5, 60),
    connections: count('connections', 32, 1000),
    dist: resolve(values.dist ?? join(root, 'dist')),
    json: values.json,
  };
}

type Plans = Readonly<Record<'own' | 'floor' | 'peer' | 'mcpPeer', ServerPlan>>;

function serverPlans({ dist }: Settings, database: BenchDatabase): Plans {
  const env = { DATABASE_URL: database.url };
  const limits = { REQUESTS_PER_MINUTE: '1000000000', IP_REQUESTS_PER_MINUTE: '1000000000', LOG_LEVEL: 'error' };
  const bench = join(dist, 'scripts', 'bench');
  return {
    own: { name: service, program: [join(dist, 'src', 'main.js')], env: { ...env, ...limits } },
    floor: { name: 'floor', program: [join(bench, 'floor-server.js')], env },
    peer: { name: 'peer', program: [join(bench, 'peer-server.js'), join(root, 'openapi.yaml')], env },
    mcpPeer: { name: 'peer', program: [join(bench, 'mcp-peer-server.js')], env: { ...env, ...limits } },
  };
}

/** One table: who is asked what, and what this service's requests a second against the others' are aimed at. */
interface Comparison {
  readonly operation: string;
  readonly entrants: readonly Entrant[];
  readonly aims: Readonly<Record<string, number>>;
}

type Start = (plan: ServerPlan) => Promise<ChildServer>;

async function restComparisons({ own, floor, peer }: Plans, start: Start, sample: SampleData): Promise<Comparison[]> {
  const servers = [await start(own), await start(floor), await start(peer)];
  await assertSameAnswers(servers, sample);
  const comparison = (operation: string, questions: Questions): Comparison => ({
    operation,
    entrants: servers.map((server) => ({ name: server.name, server, ...questions })),
    aims: aims.rest,
  });
  return [comparison('GET /jobs/{id}', readsOfJobs(sample)), comparison('POST /jobs', createsOfJobs(sample))];
}

async function mcpComparison({ own, mcpPeer }: Plans, start: Start, sample: SampleData): Promise<Comparison> {
  const [server, peer] = [await start(own), await start(mcpPeer)];
  await assertSameTools(server, peer, sample);
  const calls = callsOfGetJob(sample);
  const entrants = [
    { name: server.name, server, ...calls },
    { name: ownRest, server, ...readsOfJobs(sample) },
    { name: peer.name, server: peer, ...calls },
  ];
  return { operation: 'tools/call get_job', entrants, aims: aims.mcp };
}

/** Warms every entrant up, then loads one after the other, round by round, so that a slow minute hits all alike. */
async function measure(
  settings: Settings,
  { operation, entrants }: Comparison,
  signal: AbortSignal,
): Promise<Figures[]> {
  const rounds = new Map<Entrant, Round[]>(entrants.map((entrant) => [entrant, []]));
  for (const entrant of entrants) await load(entrant, { ...settings, ...warmUp }, signal);
  for (let round = 0; round < settings.rounds; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const entrant = entrants[(round + turn) % entrants.length];
      if (entrant) rounds.get(entrant)?.push(await load(entrant, settings, signal));
    }
  }
  return [...rounds].map(([{ name }, own]) => figuresOf(operation, name, own));
}

interface Outcome {
  readonly figures: Figures[];
  readonly ratios: Ratio[];
}

async function compare(settings: Settings, database: BenchDatabase, signal: AbortSignal): Promise<Outcome> {
  const servers = new Map<ServerPlan, ChildServer>();
  const start = async (plan: ServerPlan): Promise<ChildServer> => {
    signal.throwIfAborted();
    const server = servers.get(plan) ?? (await startServer(plan));
    servers.set(plan, server);
    return server;
  };
  const outcome: Outcome = { figures: [], ratios: [] };
  try {
    migrateDatabase(settings.dist, database.url);
    const sample = await loadSampleData(database.url, jobs);
    const plans = serverPlans(settings, database);
    const comparisons: Comparison[] = [];
    if (settings.parts.includes('rest')) comparisons.push(...(await restComparisons(plans, start, sample)));
    if (settings.parts.includes('mcp')) comparisons.push(await mcpComparison(plans, start, sample));
    for (const comparison of comparisons) {
      const figures = await measure(settings, comparison, signal);
      outcome.figures.push(...figures);
      outcome.ratios.push(...ratiosOf(figures, service, comparison.aims));
    }
    return outcome;
  } finally {
    await Promise.allSettled([...servers.values()].map((server) => server.stop()));
  }
}

function notesOn({ rounds, seconds, connections }: Settings, { version, settings }: BenchDatabase): string[] {
  return [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, PostgreSQL ${version} (${settings}), ` +
      `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`,
    `${rounds} rounds of ${seconds} s each, ${connections} connections, ${jobs} jobs at the start; load, servers and database share the cores.`,
    `This service runs with its request limits lifted and LOG_LEVEL=error; the company's plan has no posting limit.`,
    'requests/s is the median of the rounds; latencies and CPU time (of the server process) are over all of them.',
  ];
}

async function main(): Promise<void> {
  const settings = readSettings();
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => interruption.abort(new Error(`ended by ${name}`)));
  const database = await createDatabase();
  let outcome: Outcome;
  try {
    outcome = await compare(settings, database, interruption.signal);
  } finally {
    await database.drop();
  }
  const { figures, ratios } = outcome;
  const notes = notesOn(settings, database);
  console.log(renderReport(notes, figures, ratios));
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ notes, settings, figures, ratios }, null, 2)}\n`);
  if (figures.some(({ failures }) => failures > 0))
    throw new Error('some requests were not answered as they should be');
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
