import { writeFileSync } from 'node:fs';
import { runEras } from './eras.ts';
import { inRounds, load, type Round } from './load.ts';
import { runMix } from './mix.ts';
import { builtFolder, choice, count, file, jsonFile, type Run, runBench, type Settings } from './program.ts';
import {
  alignRight,
  isMet,
  judged,
  machineNote,
  markdownTable,
  median,
  publish,
  spreadOf,
  sum,
  whole,
} from './report.ts';
import { type Measured, measured, type Protocol, protocols, requestsOf, routeOf, toolOf } from './requests.ts';
import { aimOf, type Part, parts, planOf, rivals, rivalsOver, twin } from './rivals.ts';
import { assertSameAnswers } from './same-answers.ts';
import { loadSampleData, type SampleData } from './sample-data.ts';
import { type ChildServer, openDatabase, startServer } from './servers.ts';
import { measureSizes, runTokens, sizeTables } from './tokens.ts';

const about = `Measures every operation, over REST and MCP, on this service and on its rivals, each in a process of its own, on the PostgreSQL that
DATABASE_URL names or that listens on 127.0.0.1:5432, in a database of its own that is dropped at the end. With REDIS_URL the
request limits are counted in Redis. First it makes sure that all answer alike.
At the end it prints the sizes of tool definitions and results. With --mix a mix of requests of fifty companies instead
(npm run bench -- --mix --help), with --eras single jobs over REST and both eras of MCP, with --tokens only the sizes.`;

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
/** Bounded by answers first, so that a slow server is as warm as a fast one; V8 optimizes for thousands of them. */
const warmUp = { answersMax: 8000, seconds: 6 };

type Servers = ReadonlyMap<Part | 'own', ChildServer>;
type Figures = ReturnType<typeof figuresOf>;
type Ratio = ReturnType<typeof ratiosOf>[number];

/** Starts the servers that the chosen protocols need, one after the other. */
async function startServers(chosen: readonly Protocol[], dist: string, url: string, run: Run): Promise<Servers> {
  const needed = parts.filter((part) => rivals[part].over.some((protocol) => chosen.includes(protocol)));
  const servers = new Map<Part | 'own', ChildServer>();
  for (const part of ['own', ...needed] as const) servers.set(part, await startServer(planOf(part, dist, url), run));
  return servers;
}

/** Both protocols in one comparison, so that a tool call is also compared with the same operation over REST. */
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
    return { protocol, part, name: server.name, server, ...requestsOf(protocol, operationId, sample) };
  };
  const entrants = protocols.flatMap((protocol) => {
    const rivals = settings.only.includes(protocol) ? rivalsOver(protocol, operationId) : [];
    // This service over REST is always measured.
    if (rivals.length === 0 && protocol !== 'rest') return [];
    return (['own', ...rivals] as const).map((part) => entrant(protocol, part));
  });
  for (const one of entrants) await load(one, { ...settings, ...warmUp }, signal);
  const rounds = await inRounds(entrants, settings.rounds, (one) => load(one, settings, signal));
  return entrants.map((one) => figuresOf(operationId, one, rounds.get(one) ?? []));
}

/** The figures of one operation on one server over all rounds. */
function figuresOf(
  operationId: Measured,
  { protocol, part, name }: { protocol: Protocol; part: Part | 'own'; name: string },
  rounds: readonly Round[],
) {
  const spread = spreadOf(rounds.flatMap(({ latenciesMs }) => latenciesMs));
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  return {
    operationId,
    protocol,
    part,
    server: protocol === 'mcp' ? `${name} over MCP` : name,
    /** Median of the rounds. */
    requestsPerSecond: median(speeds),
    rounds: speeds,
    ...spread,
    /** Of the server's process over all rounds; NaN where it cannot be read. */
    cpuMicrosecondsPerRequest: sum(rounds.map((round) => round.cpuMicroseconds)) / spread.answers,
    failures: sum(rounds.map((round) => round.failures)),
    wrongStatuses: [...new Set(rounds.flatMap((round) => round.wrongStatuses))],
  };
}

/** Requests a second of this service against those of each rival over the same protocol, and over MCP against itself over REST. */
function ratiosOf(figures: readonly Figures[]) {
  return figures.flatMap((row) => {
    const ownOver = (protocol: Protocol) =>
      figures.find(
        (other) => other.operationId === row.operationId && other.protocol === protocol && other.part === 'own',
      );
    const compared = row.part === 'own' ? twin : rivals[row.part];
    if (compared === twin && row.protocol === 'rest') return [];
    const [own, rival] = compared === twin ? [row, ownOver('rest')] : [ownOver(row.protocol), row];
    if (!own || !rival) return [];
    const { operationId, protocol } = own;
    const value = own.requestsPerSecond / rival.requestsPerSecond;
    const aim = aimOf(compared, operationId);
    return [{ operationId, protocol, rival: rival.server, column: compared.column, value, aim }];
  });
}

const heading = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p99 ms', 'CPU µs/request', 'answers', 'failures'];
const cells = (row: Figures): string[] => [
  row.server,
  ...[row.requestsPerSecond, Math.min(...row.rounds), Math.max(...row.rounds)].map(whole),
  ...[row.p50Ms, row.p99Ms].map((ms) => ms.toFixed(1)),
  ...[row.cpuMicrosecondsPerRequest, row.answers, row.failures].map(whole),
];

/** A table for each operation, with its ratios below. */
function tablesOf(figures: readonly Figures[], ratios: readonly Ratio[]): string[][] {
  return [...new Set(figures.map(({ operationId }) => operationId))].map((operationId) => [
    `${routeOf(operationId)}, ${toolOf(operationId)}`,
    ...alignRight([heading, ...figures.filter((row) => row.operationId === operationId).map(cells)]),
    ...ratios
      .filter((ratio) => ratio.operationId === operationId)
      .map(({ protocol, rival, value, aim }) => `  ${protocol} / ${rival}: ${judged(value, aim)}`),
  ]);
}

/** All ratios as one Markdown table, a row for each operation and protocol; an aim that was missed is named. */
function markdownOf(figures: readonly Figures[], ratios: readonly Ratio[]): string {
  const order = [...Object.values(rivals), twin].map(({ column }) => column);
  const columns = order.filter((column) => ratios.some((ratio) => ratio.column === column));
  const cell = (ratio: Ratio | undefined): string => {
    if (!ratio) return '';
    const missed = isMet(ratio.value, ratio.aim) === false ? ` (aim ${ratio.aim?.bound})` : '';
    return ratio.value.toFixed(2) + missed;
  };
  const rows = protocols.flatMap((protocol) =>
    figures
      .filter((row) => row.part === 'own' && row.protocol === protocol)
      .map(({ operationId, requestsPerSecond }) => {
        const own = ratios.filter((ratio) => ratio.operationId === operationId && ratio.protocol === protocol);
        const name = protocol === 'rest' ? routeOf(operationId) : toolOf(operationId);
        const compared = columns.map((column) => cell(own.find((ratio) => ratio.column === column)));
        return [`\`${name}\``, whole(requestsPerSecond), ...compared];
      }),
  );
  return markdownTable([['operation', 'requests/s', ...columns], ...rows]);
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
  const sizes = await measureSizes(settings.dist, run);
  const tables = [...tablesOf(figures, ratios), [summary], ...sizeTables(sizes)];
  publish(notes, tables, settings.json, { settings, figures, ratios, sizes });
  if (settings.markdown) writeFileSync(settings.markdown, `${notes.join('\n')}\n\n${summary}\n`);
  const wrong = figures.filter(({ failures }) => failures > 0);
  const named = wrong.map(({ operationId, server, wrongStatuses }) => `${operationId} of ${server} (${wrongStatuses})`);
  if (wrong.length > 0) throw new Error(`not every request was answered as it should be: ${named.join(', ')}`);
}

if (process.argv.includes('--mix')) await runMix();
else if (process.argv.includes('--eras')) await runEras();
else if (process.argv.includes('--tokens')) await runTokens();
else await runBench('bench', about, options, bench);
