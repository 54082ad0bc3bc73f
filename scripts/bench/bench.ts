import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ChildServer, type ServerPlan, startServer } from './child-server.ts';
import { type BenchDatabase, createDatabase, migrateDatabase } from './database.ts';
import { type Figures, figuresOf, ratiosOf } from './figures.ts';
import { load, type Operation, operationsOn, type Round } from './load.ts';
import { renderReport } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { loadSampleData } from './sample-data.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const usage = 'npm run bench -- [--rounds N] [--seconds N] [--connections N] [--json FILE] [--dist DIR]';
const service = 'this service';
const aims = { peer: 1.2, floor: 0.35 };
const jobs = 1000;
/** Counted in answers first, so that a slow server is as warm as a fast one. */
const warmUp = { answersMax: 4000, seconds: 10 };

interface Settings {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Where `npm run build` has put the programs. */
  readonly dist: string;
  readonly json: string | undefined;
}

function readSettings(): Settings {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { rounds: text, seconds: text, connections: text, json: text, dist: text } });
  const count = (name: 'rounds' | 'seconds' | 'connections', fallback: number, max: number): number => {
    const value = Number(values[name] ?? fallback);
    if (Number.isInteger(value) && value >= 1 && value <= max) return value;
    throw new Error(`--${name} must be a whole number from 1 to ${max}\nusage: ${usage}`);
  };
  return {
    rounds: count('rounds', 3, 20),
    seconds: count('seconds', 5, 60),
    connections: count('connections', 32, 1000),
    dist: resolve(values.dist ?? join(root, 'dist')),
    json: values.json,
  };
}

function serverPlans({ dist }: Settings, database: BenchDatabase): ServerPlan[] {
  const env = { DATABASE_URL: database.url };
  const limits = { REQUESTS_PER_MINUTE: '1000000000', IP_REQUESTS_PER_MINUTE: '1000000000', LOG_LEVEL: 'error' };
  const bench = join(dist, 'scripts', 'bench');
  return [
    { name: service, program: [join(dist, 'src', 'main.js')], env: { ...env, ...limits } },
    { name: 'floor', program: [join(bench, 'floor-server.js')], env },
    { name: 'peer', program: [join(bench, 'peer-server.js'), join(root, 'openapi.yaml')], env },
  ];
}

/** Warms every server up, then loads one after the other, round by round, so that a slow minute hits all alike. */
async function measure(
  settings: Settings,
  servers: readonly ChildServer[],
  operation: Operation,
  signal: AbortSignal,
): Promise<Figures[]> {
  const rounds = new Map<ChildServer, Round[]>(servers.map((server) => [server, []]));
  for (const server of servers) await load(server, operation, { ...settings, ...warmUp }, signal);
  for (let round = 0; round < settings.rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const server = servers[(round + turn) % servers.length];
      if (server) rounds.get(server)?.push(await load(server, operation, settings, signal));
    }
  }
  return [...rounds].map(([{ name }, own]) => figuresOf(operation.name, name, own));
}

async function compare(settings: Settings, database: BenchDatabase, signal: AbortSignal): Promise<Figures[]> {
  const servers: ChildServer[] = [];
  const figures: Figures[] = [];
  try {
    migrateDatabase(settings.dist, database.url);
    const sample = await loadSampleData(database.url, jobs);
    for (const plan of serverPlans(settings, database)) {
      signal.throwIfAborted();
      servers.push(await startServer(plan));
    }
    await assertSameAnswers(servers, sample);
    for (const operation of operationsOn(sample))
      figures.push(...(await measure(settings, servers, operation, signal)));
    return figures;
  } finally {
    await Promise.allSettled(servers.map((server) => server.stop()));
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
  let figures: Figures[];
  try {
    figures = await compare(settings, database, interruption.signal);
  } finally {
    await database.drop();
  }
  const ratios = ratiosOf(figures, service, aims);
  const notes = notesOn(settings, database);
  console.log(renderReport(notes, figures, ratios));
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ notes, settings, figures, ratios }, null, 2)}\n`);
  if (figures.some(({ failures }) => failures > 0)) throw new Error('some requests were not answered with 2xx');
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
