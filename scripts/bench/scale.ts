import { type Answer, alternate, type Bounds, type HttpRequest } from './load.ts';
import { builtFolder, count, jsonFile, type Run, runBench, type Settings } from './program.ts';
import { type Aim, alignRight, isMet, machineNote, publish, spreadOf } from './report.ts';
import { type Input, newJob, restRequest } from './requests.ts';
import { type Layout, loadLayout, type SampleCompanies, type SampleCompany } from './sample-data.ts';
import {
  type BenchDatabase,
  type ChildServer,
  onServer,
  openDatabase,
  processMegabytes,
  servicePlan,
  startServer,
} from './servers.ts';

const about = `Measures each operation for companies whose own jobs stay as many while everybody's grow a thousandfold: three databases, each
with a service of its own, which take turns with every single request.`;
const options = {
  jobs: count('in the largest database', 1_000_000, 10_000_000, 20_000),
  rounds: count('rounds of each operation', 5, 20),
  seconds: count('of load in each round', 4, 60),
  connections: count('at a time', 1, 100),
  companies: count('in each database', 10_000, 100_000, 1000),
  json: jsonFile,
  dist: builtFolder,
};
const aims = { growth: 1.3, page: 3 };
const pages = { near: 1, far: 1000, perPage: [25, 100] };
const firstWarmUp = { answersMax: 4000, seconds: 20 };
const warmUp = { answersMax: 300, seconds: 4 };

/** The companies that are measured: at every size each has as many jobs, so that only the jobs of the others differ. */
const measuredCompanies = 10;
const measuredJobs = 1000;
/** In the largest database the next company has a tenth of all jobs, where there are enough. */
const bigFrom = 10 * measuredJobs;

/** A company's jobs lie as far apart as if all companies had posted in turn. */
function layoutOf(jobs: number, companies: number, isLargest: boolean): Layout {
  const every = jobs / measuredJobs;
  const others = companies - measuredCompanies - 1;
  const big = isLargest && jobs >= bigFrom ? `WHEN place % 10 = 1 THEN ${measuredCompanies + 1}` : '';
  return {
    companies,
    jobs,
    company: `CASE WHEN place % ${every} = 0 THEN 1 + place / ${every} % ${measuredCompanies} ${big}
                   ELSE ${measuredCompanies + 2} + place % ${others} END`,
    nth: `CASE WHEN place % ${every} = 0 THEN place / ${every} / ${measuredCompanies} ELSE place / 10 END`,
    bodyLength: 1200,
    sampled: measuredCompanies + 1,
  };
}

/** A database of one size with a service of its own. */
interface Stage extends SampleCompanies {
  readonly jobs: number;
  /** In milliseconds. */
  readonly loadedAt: number;
  readonly big: SampleCompany | undefined;
  readonly database: BenchDatabase;
  readonly server: ChildServer;
  /** For each company, where a synchronisation of all jobs has read half of them. */
  readonly cursors: readonly string[];
}

async function openStage(
  jobs: number,
  { jobs: largest, companies: inAll, dist }: Settings<typeof options>,
  run: Run,
): Promise<Stage> {
  const isLargest = jobs === largest;
  const database = await openDatabase(dist, run);
  const loadedAt = Date.now();
  const loaded = await loadLayout(database.url, layoutOf(jobs, inAll, isLargest), run.signal);
  const seconds = (Date.now() - loadedAt) / 1000;
  console.error(`loaded ${jobs} jobs in ${seconds.toFixed(0)} s, ${(loaded.bytes / 1e6).toFixed(0)} MB`);
  const env = { DATABASE_URL: database.url, LIMITS_NAMESPACE: `bench-${process.pid}-${jobs}` };
  const server = await startServer(servicePlan(dist, env, `${jobs} jobs`), run);
  const [big] = isLargest && jobs >= bigFrom ? loaded.companies.slice(measuredCompanies) : [];
  const companies = loaded.companies.slice(0, measuredCompanies);
  const cursors = await Promise.all(companies.map(({ token }) => halfway(server.origin, token)));
  return { ...loaded, companies, jobs, loadedAt, big, database, server, cursors };
}

const always = '1970-01-01T00:00:00Z';

async function halfway(origin: string, token: string): Promise<string> {
  const half = measuredJobs / measuredCompanies / 2;
  const { path, headers } = restRequest('listJobs', token, { query: { updated_since: always, per_page: half } });
  const { meta } = await (await fetch(origin + path, { headers: { ...headers } })).json();
  return meta.next_cursor;
}

/** Since when a fifth of a company's jobs have changed: they were loaded 60 ms apart. */
const recently = ({ jobs, loadedAt }: Stage): string => new Date(loadedAt - (jobs * 60) / 5).toISOString();

/** One operation as it is measured. */
interface Operation {
  readonly name: string;
  /** Deletes what it has created after each load. */
  readonly createsJobs?: boolean;
  requestsOf(stage: Stage): () => HttpRequest;
}

type OperationId = Parameters<typeof restRequest>[0];
type Ask = readonly [SampleCompany, Input];

/** Repeats the requests in order over all connections: if each began with the first, all would wait for the lock of one job. */
const operation = (
  name: string,
  operationId: OperationId,
  asksOf: (stage: Stage) => readonly Ask[],
  more: (stage: Stage) => Input = () => ({}),
): Operation => ({
  name,
  requestsOf: (stage) => {
    const asks = asksOf(stage);
    let number = 0;
    return () => {
      const ask = asks[number++ % asks.length];
      if (!ask) throw new Error(`${name}: there is no request`);
      return restRequest(operationId, ask[0].token, { ...ask[1], ...more(stage) });
    };
  },
});

const ofCompanies =
  (input: Input = {}) =>
  ({ companies }: Stage): Ask[] =>
    companies.map((company) => [company, input]);

/** Some jobs of each company; those that are read are not changed. */
const ofJobs =
  (from: number, to: number) =>
  ({ companies }: Stage): Ask[] =>
    companies.flatMap((company) => company.jobIds.slice(from, to).map((id): Ask => [company, { id }]));

const reads = (path: string, operationId: OperationId, query?: Input['query']): Operation =>
  operation(`GET ${path}`, operationId, ofCompanies(query && { query }));
const getJob = operation('GET /jobs/{id}', 'getJob', ofJobs(0, 50));
let changed = 0;

/** Reads first; what leaves jobs behind comes last. */
const operations: readonly Operation[] = [
  reads('/account', 'getAccount'),
  reads('/categories', 'listCategories'),
  reads('/regions', 'listRegions'),
  reads('/districts', 'listDistricts'),
  reads('/options', 'listOptions'),
  reads('/jobs', 'listJobs'),
  reads('/jobs?status=active', 'listJobs', { status: 'active' }),
  reads('/jobs?status=expired', 'listJobs', { status: 'expired' }),
  operation('GET /jobs?updated_since, recent', 'listJobs', (stage) =>
    stage.companies.map((company) => [company, { query: { updated_since: recently(stage) } }]),
  ),
  operation('GET /jobs?updated_since, halfway', 'listJobs', ({ companies, cursors }) =>
    companies.map((company, n) => [company, { query: { updated_since: always, cursor: cursors[n] ?? '' } }]),
  ),
  getJob,
  // Each changes something: a PATCH of nothing writes nothing.
  operation('PATCH /jobs/{id}', 'updateJob', ofJobs(50, 75), () => ({
    job: { requirements: `Alteração ${++changed} dos requisitos.` },
  })),
  operation('DELETE /jobs/{id}', 'withdrawJob', ofJobs(75, 100)),
  // The first answer to each company creates a job.
  operation('POST /jobs, repeated', 'createJob', ofCompanies({ key: 'repeated' }), ({ job }) => ({ job })),
  { ...operation('POST /jobs', 'createJob', ofCompanies(), ({ job }) => newJob(job)), createsJobs: true },
];

/** A page of the company that has a tenth of all jobs. */
const pageOfBig = (page: number, per_page: number): Operation =>
  operation(`page ${page.toLocaleString('en')} of ${per_page}`, 'listJobs', ({ big }) =>
    big ? [[big, { query: { page, per_page } }]] : [],
  );

/** Deletes created jobs, so that the next load finds as many as this one. */
async function deleteNewJobs({ database }: Stage, since: Date): Promise<void> {
  await onServer(database.url, async (client) => {
    for (const table of ['jobs', 'idempotency_keys'])
      await client.query(`DELETE FROM ${table} WHERE company_id <= $1 AND created_at >= $2`, [
        measuredCompanies,
        since,
      ]);
  });
}

type Latency = Awaited<ReturnType<typeof measure>>[number];
type Comparison = ReturnType<typeof compared>[number];
type Entrant = readonly [Operation, Stage];

/** One load of all entrants, round by round. */
async function measure(settings: Settings<typeof options>, entrants: readonly Entrant[], signal: AbortSignal) {
  const targets = entrants.map(([operation, stage]) => ({
    origin: stage.server.origin,
    next: operation.requestsOf(stage),
  }));
  const loadAll = async (bounds: Partial<Bounds>): Promise<Answer[][]> => {
    const since = new Date();
    const answers = await alternate(targets, { ...settings, ...bounds }, signal);
    for (const [{ createsJobs }, stage] of entrants) if (createsJobs) await deleteNewJobs(stage, since);
    return answers;
  };
  await loadAll(warmUp);
  const rounds: Answer[][][] = [];
  while (rounds.length < settings.rounds) rounds.push(await loadAll({}));
  return entrants.map(([{ name }, { jobs }], index) => {
    const own = rounds.flatMap((answers) => answers[index] ?? []);
    const failures = own.filter(({ status }) => status < 200 || status >= 300).length;
    return { operation: name, jobs, ...spreadOf(own.map(({ ms }) => ms)), failures };
  });
}

/** The ratio of the last latencies to the first. */
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
  for (const operation of operations) {
    const entrants = stages.map((stage) => [operation, stage] as const);
    await compare(operation.name, aims.growth, entrants);
  }
  const stage = stages.at(-1);
  for (const perPage of stage?.big ? pages.perPage : []) {
    const far = Math.min(pages.far, Math.ceil((stage?.big?.jobs ?? 0) / perPage));
    const entrants = [pages.near, far].flatMap((page) => (stage ? [[pageOfBig(page, perPage), stage] as const] : []));
    await compare(`page ${far} / page 1, ${perPage} a page`, aims.page, entrants);
  }
  return { latencies, comparisons };
}

function notesOn(
  { rounds, seconds, connections, companies }: Settings<typeof options>,
  stages: readonly Stage[],
): string[] {
  const last = stages.at(-1);
  return [
    machineNote(last?.database.note ?? ''),
    `${companies.toLocaleString('en')} companies with as many jobs as the columns say, at most ${((last?.bytes ?? 0) / 1e9).toFixed(1)} GB. ` +
      `Measured: ten companies with ${measuredJobs / 10} jobs each`,
    `at every size; pages are those of one with ${last?.big?.jobs.toLocaleString('en') ?? 0} jobs. Each size has its own database and service;`,
    `connections: ${connections}, alternating between the sizes, ${rounds} times ${seconds} s for an operation, so that noise affects all alike.`,
    `Load, services and database share the cores. Created jobs are deleted after each round. Vacuumed once, after loading.`,
    `Memory of the services at the end: ${stages.map(({ server }) => `${processMegabytes(server.pid).toFixed(0)} MB`).join(', ')}.`,
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

await runBench('bench:scale', about, options, async (settings, run) => {
  const sizes = [measuredJobs, settings.jobs / 10, settings.jobs];
  const stages: Stage[] = [];
  for (const jobs of sizes) stages.push(await openStage(jobs, settings, run));
  const first = stages.map((stage) => ({ origin: stage.server.origin, next: getJob.requestsOf(stage) }));
  await alternate(first, { ...settings, ...firstWarmUp }, run.signal);
  const { latencies, comparisons } = await measureAll(settings, stages, run.signal);
  const ratios = comparisons.map(({ name, p50, p99, aim }) => {
    const areMet = [p50, p99].every((value) => isMet(value, aim));
    return [name, p50.toFixed(2), p99.toFixed(2), aim.bound.toFixed(1), areMet ? 'met' : 'missed'];
  });
  const tables = [
    alignRight(latencyRows(sizes, latencies)),
    alignRight([['', 'p50', 'p99', 'at most', ''], ...ratios]),
  ];
  publish(notesOn(settings, stages), tables, settings.json, { settings, latencies, comparisons });
  if (latencies.some(({ failures }) => failures > 0)) throw new Error('some requests failed');
});
