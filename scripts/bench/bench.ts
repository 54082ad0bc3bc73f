import { writeFileSync } from 'node:fs';
import { type Figures, figuresOf, markdownOf, ratiosOf, tablesOf } from './bench-report.ts';
import { type ChildServer, startServer } from './child-server.ts';
import { type Part, type Protocol, parts, planOf, protocols, rivals, rivalsOver } from './comparisons.ts';
import { openDatabase } from './database.ts';
import { inRounds, load } from './load.ts';
import { runMix } from './mix.ts';
import { type Measured, measured } from './operations.ts';
import { type Run, runBench } from './program.ts';
import { questionsOf } from './questions.ts';
import { machineNote, publish } from './report.ts';
import { assertSameAnswers } from './same-answers.ts';
import { loadSampleData, type SampleData } from './sample-data.ts';
import { builtFolder, choice, count, file, jsonFile, type Settings } from './settings.ts';

const about = `Asks every operation, over REST and MCP, of this service and of its rivals, each in a process of its own, on the PostgreSQL that
DATABASE_URL names or that listens on 127.0.0.1:5432, in a database of its own that is dropped at the end. With REDIS_URL the
request limits are counted in Redis. First it makes sure that all answer alike.
With --mix a mix of requests of fifty companies instead: npm run bench -- --mix --help`;

const options = {
  rounds: count('rounds of each operation, everybody in turn', 9, 20),
  seconds: count('of load in each turn', 1, 60),
  connections: count('at a time', 32, 1000),
  only: choice('one protocol', 'rest|mcp', protocols),
  operation: choice('one operation, such as getJob', 'ID', measured),
  markdown: file('write the table of ratios there too'),
  json: jsonFile,
  dist: builtFolder,
};

const jobs = 1000;
/** Counted in answers first, so that a slow server is as warm as a fast one; V8 goes on optimizing for thousands of them. */
const warmUp = { answersMax: 8000, seconds: 6 };

type Servers = ReadonlyMap<Part | 'own', ChildServer>;

/** Starts what the chosen protocols need, one after the other. */
async function startServers(chosen: readonly Protocol[], dist: string, url: string, run: Run): Promise<Servers> {
  const needed = parts.filter((part) => rivals[part].over.some((protocol) => chosen.includes(protocol)));
  const servers = new Map<Part | 'own', ChildServer>();
  for (const part of ['own', ...needed] as const) servers.set(part, await startServer(planOf(part, dist, url), run));
  return servers;
}

/** Both protocols in one comparison, so that a tool call is held against its own twin over REST too. */
async function measure(
  operationId: Measured,
  servers: Servers,
  sample: SampleData,
  settings: Settings<typeof options>,
  signal: AbortSignal,
): Promise<Figures[]> {
  const entrant = (protocol: Protocol, part: Part | 'own') => {
    const server = servers.get(part);
    if (!server) throw new Error(`${part} is not running`);
    return { protocol, part, name: server.name, server, ...questionsOf(protocol, operationId, sample) };
  };
  const entrants = protocols.flatMap((protocol) => {
    const rivals = settings.only.includes(protocol) ? rivalsOver(protocol, operationId) : [];
    // Over REST this service is asked in any case.
    return rivals.length > 0 || protocol === 'rest'
      ? (['own', ...rivals] as const).map((part) => entrant(protocol, part))
      : [];
  });
  for (const one of entrants) await load(one, { ...settings, ...warmUp }, signal);
  const rounds = await inRounds(entrants, settings.rounds, (one) => load(one, settings, signal));
  return entrants.map((one) => figuresOf(operationId, one, rounds.get(one) ?? []));
}

function notesOn({ rounds, seconds, connections }: Settings<typeof options>, databaseNote: string): string[] {
  const limiter = process.env.REDIS_URL ? 'Redis' : 'PostgreSQL';
  return [
    machineNote(databaseNote),
    `${rounds} rounds of ${seconds} s each, ${connections} connections; load, servers and database share the cores.`,
    `Each of two companies has ${jobs} jobs at the start; one is only read, the other changed. A list is its first 25. DELETE is repeated`,
    'on jobs that are withdrawn already, and no text holds HTML.',
    `This service counts its requests in ${limiter}, under a limit that is never reached, with LOG_LEVEL=error; no plan limits postings.`,
    'requests/s is the median of the rounds; latencies and CPU time (of the server process) are over all of them.',
  ];
}

async function bench(settings: Settings<typeof options>, run: Run): Promise<void> {
  const { url, note } = await openDatabase(settings.dist, run);
  const sample = await loadSampleData(url, jobs);
  const servers = await startServers(settings.only, settings.dist, url, run);
  await assertSameAnswers(settings.only, servers, sample);
  const figures: Figures[] = [];
  for (const operationId of settings.operation)
    figures.push(...(await measure(operationId, servers, sample, settings, run.signal)));
  const notes = notesOn(settings, note);
  const ratios = ratiosOf(figures);
  const summary = markdownOf(figures, ratios);
  publish(notes, [...tablesOf(figures, ratios), [summary]], settings.json, { settings, figures, ratios });
  if (settings.markdown) writeFileSync(settings.markdown, `${notes.join('\n')}\n\n${summary}\n`);
  const wrong = figures.filter(({ failures }) => failures > 0);
  const named = wrong.map(({ operationId, server, wrongStatuses }) => `${operationId} of ${server} (${wrongStatuses})`);
  if (wrong.length > 0) throw new Error(`not every request was answered as it should be: ${named.join(', ')}`);
}

if (process.argv.includes('--mix')) await runMix();
else await runBench('bench', about, options, bench);
