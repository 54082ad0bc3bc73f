import { writeFileSync } from 'node:fs';
import { type ChildServer, startServer } from './child-server.ts';
import { type Comparison, comparisonOf, rivalsOver } from './comparisons.ts';
import { type BenchDatabase, createDatabase, migrateDatabase } from './database.ts';
import { type Figures, figuresOf, type Ratio, ratiosOf } from './figures.ts';
import { type Entrant, load, type Round } from './load.ts';
import { machineNote } from './machine.ts';
import { runMix } from './mix.ts';
import { renderReport } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { assertSameTools } from './same-tools.ts';
import { loadSampleData, type SampleData } from './sample-data.ts';
import { type Part, serverPlans } from './server-plans.ts';
import { readSettings, type Settings } from './settings.ts';
import { renderSummary } from './summary.ts';

const jobs = 1000;
/** Counted in answers first, so that a slow server is as warm as a fast one; V8 goes on optimizing for thousands of them. */
const warmUp = { answersMax: 8000, seconds: 6 };

type Servers = Map<Part, ChildServer>;

/** Starts what the chosen protocols need, one after the other; whatever was started is in `servers`, also where one fails. */
async function startServers(settings: Settings, url: string, servers: Servers, signal: AbortSignal): Promise<void> {
  const plans = serverPlans(settings.dist, url);
  const rivals = settings.protocols.flatMap((protocol) => rivalsOver(protocol, 'reference'));
  for (const part of new Set<Part>(['own', ...rivals])) {
    signal.throwIfAborted();
    servers.set(part, await startServer(plans[part]));
  }
}

async function assertAlike(settings: Settings, servers: Servers, sample: SampleData): Promise<void> {
  const running = (parts: readonly Part[]) => parts.flatMap((part) => servers.get(part) ?? []);
  const rest = ['own', ...rivalsOver('rest', 'read')] as const;
  if (settings.protocols.includes('rest')) await assertSameAnswers(running(rest), servers.get('bare'), sample);
  if (settings.protocols.includes('mcp'))
    await assertSameTools(running(['own', 'layer']), running(['floor', 'sdk']), sample);
}

/** Warms every entrant up, then loads one after the other, round by round, so that a slow minute hits all alike. */
async function measure(
  settings: Settings,
  { operationId, entrants }: Comparison,
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
  return [...rounds].map(([{ name }, own]) => figuresOf(operationId, name, own));
}

interface Outcome {
  readonly figures: Figures[];
  readonly ratios: Ratio[];
}

async function compare(settings: Settings, database: BenchDatabase, signal: AbortSignal): Promise<Outcome> {
  const servers: Servers = new Map();
  const outcome: Outcome = { figures: [], ratios: [] };
  try {
    migrateDatabase(settings.dist, database.url);
    const sample = await loadSampleData(database.url, jobs);
    await startServers(settings, database.url, servers, signal);
    await assertAlike(settings, servers, sample);
    for (const operationId of settings.operations) {
      const comparison = comparisonOf(operationId, settings.protocols, servers, sample);
      const figures = await measure(settings, comparison, signal);
      outcome.figures.push(...figures);
      outcome.ratios.push(...ratiosOf(comparison, figures));
    }
    return outcome;
  } finally {
    await Promise.allSettled([...servers.values()].map((server) => server.stop()));
  }
}

function notesOn({ rounds, seconds, connections }: Settings, { version, settings }: BenchDatabase): string[] {
  const limiter = process.env.REDIS_URL ? 'Redis' : 'PostgreSQL';
  return [
    machineNote(`PostgreSQL ${version} (${settings})`),
    `${rounds} rounds of ${seconds} s each, ${connections} connections; load, servers and database share the cores.`,
    `Each of two companies has ${jobs} jobs at the start; one is only read, the other changed. A list is its first 25. DELETE is repeated`,
    'on jobs that are withdrawn already, and no text holds HTML.',
    `This service counts its requests in ${limiter}, under a limit that is never reached, with LOG_LEVEL=error; no plan limits postings.`,
    'requests/s is the median of the rounds; latencies and CPU time (of the server process) are over all of them.',
  ];
}

function publish(settings: Settings, notes: readonly string[], { figures, ratios }: Outcome): void {
  const summary = renderSummary(figures, ratios);
  console.log(`${renderReport(notes, figures, ratios)}\n\n${summary}`);
  if (settings.markdown) writeFileSync(settings.markdown, `${notes.join('\n')}\n\n${summary}\n`);
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify({ notes, settings, figures, ratios }, null, 2)}\n`);
}

async function main(): Promise<void> {
  if (process.argv.includes('--mix')) return runMix();
  const settings = readSettings();
  if (!settings) return;
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
  publish(settings, notesOn(settings, database), outcome);
  if (outcome.figures.some(({ failures }) => failures > 0))
    throw new Error('some requests were not answered as they should be');
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
