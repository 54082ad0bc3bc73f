import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench, Run } from './bench.ts';
import { send } from './load.ts';
import { judged, markdownTable, spreadOf } from './report.ts';
import { type HttpRequest, type Input, newJob, restRequest } from './requests.ts';
import { type Layout, loadLayout, type SampleCompanies, type SampleCompany } from './sample-data.ts';
import { type ChildServer, openDatabase, servicePlan, startServer } from './servers.ts';

export const about =
  'each operation for companies that stay as they are while the jobs of all others grow a thousandfold';
export const defaults: Bench['defaults'] = { jobs: 1_000_000 };

const ratioMax = 1.3;
/** Requests that are not measured, and how long all others of an operation are sent. */
const [warmUp, secondsEach] = [300, 20];
const companies = 10_000;
/** The companies that are measured: at every size each has as many jobs, so that only the jobs of the others differ. */
const measuredCompanies = 10;
const measuredJobs = 1000;

/** A company's jobs lie as far apart as if all companies had posted in turn. */
function layoutOf(jobs: number): Layout {
  const every = jobs / measuredJobs;
  return {
    companies,
    jobs,
    company: `CASE WHEN place % ${every} = 0 THEN 1 + place / ${every} % ${measuredCompanies}
                   ELSE ${measuredCompanies + 1} + place % ${companies - measuredCompanies} END`,
    nth: `CASE WHEN place % ${every} = 0 THEN place / ${every} / ${measuredCompanies} ELSE place / 10 END`,
    bodyLength: 1200,
    sampled: measuredCompanies,
  };
}

/** A database of one size with a service of its own. */
interface Stage extends SampleCompanies {
  readonly jobs: number;
  /** In milliseconds. */
  readonly loadedAt: number;
  readonly databaseUrl: string;
  readonly server: ChildServer;
}

async function openStage(jobs: number, run: Run): Promise<Stage> {
  const databaseUrl = await openDatabase(packageRoot, run);
  const loadedAt = Date.now();
  const loaded = await loadLayout(databaseUrl, layoutOf(jobs), run.signal);
  console.error(`loaded ${jobs} jobs, ${(loaded.bytes / 1e6).toFixed(0)} MB`);
  const env = { DATABASE_URL: databaseUrl };
  const server = await startServer(servicePlan(packageRoot, env, `${jobs} jobs`), run);
  return { ...loaded, jobs, loadedAt, databaseUrl, server };
}

/** Since when a fifth of a company's jobs have changed: they were loaded 60 ms apart. */
const recently = ({ jobs, loadedAt }: Stage): string => new Date(loadedAt - (jobs * 60) / 5).toISOString();

/** Its name, and the n-th of its requests: over the companies, and over some jobs of each, those that are read not being changed. */
type Operation = readonly [name: string, (stage: Stage, n: number) => HttpRequest];

function ask(operationId: OperationId, { companies: own }: Stage, n: number, input: Input = {}): HttpRequest {
  const company = own[n % own.length] as SampleCompany;
  return restRequest(operationId, company.token, input);
}
const list = (stage: Stage, n: number, query: Record<string, string> = {}) => ask('listJobs', stage, n, { query });
const idOf = ({ companies: own }: Stage, n: number, from: number, count: number): number =>
  own[n % own.length]?.jobIds[from + (Math.floor(n / own.length) % count)] ?? 0;

const getJob: Operation = ['GET /jobs/{id}', (stage, n) => ask('getJob', stage, n, { id: idOf(stage, n, 0, 50) })];
/** Reads first; what leaves jobs behind comes last. Each PATCH changes something: one of nothing writes nothing. */
const operations: readonly Operation[] = [
  ['GET /account', (stage, n) => ask('getAccount', stage, n)],
  ['GET /categories', (stage, n) => ask('listCategories', stage, n)],
  ['GET /jobs', (stage, n) => list(stage, n)],
  ['GET /jobs?status=active', (stage, n) => list(stage, n, { status: 'active' })],
  ['GET /jobs?status=expired', (stage, n) => list(stage, n, { status: 'expired' })],
  ['GET /jobs?updated_since', (stage, n) => list(stage, n, { updated_since: recently(stage) })],
  getJob,
  [
    'PATCH /jobs/{id}',
    (stage, n) => ask('updateJob', stage, n, { id: idOf(stage, n, 50, 25), job: { requirements: `${randomUUID()}.` } }),
  ],
  ['DELETE /jobs/{id}', (stage, n) => ask('withdrawJob', stage, n, { id: idOf(stage, n, 75, 25) })],
  // The first answer to each company creates a job.
  ['POST /jobs, repeated', (stage, n) => ask('createJob', stage, n, { key: 'repeated', job: stage.job })],
  ['POST /jobs', (stage, n) => ask('createJob', stage, n, newJob(stage.job))],
];

/** One operation on all stages, one request after the other so that noise affects all alike: its row. */
async function rowOf([name, request]: Operation, stages: readonly Stage[], seconds: number, { signal }: Run) {
  const latenciesMs = stages.map((): number[] => []);
  const end = performance.now() + seconds * 1000;
  for (let number = 0; number < warmUp || performance.now() < end; number++)
    for (const [index, stage] of stages.entries()) {
      signal.throwIfAborted();
      const { status, ms } = await send(stage.server.origin, request(stage, number));
      if (status < 200 || status >= 300) throw new Error(`${name}: ${status}`);
      if (number >= warmUp) latenciesMs[index]?.push(ms);
    }
  const spreads = latenciesMs.map(spreadOf);
  const [first, last] = [spreads[0], spreads.at(-1)];
  const ratio = (key: 'p50Ms' | 'p99Ms') => (last?.[key] ?? 0) / (first?.[key] ?? 1);
  const cells = spreads.map(({ p50Ms, p99Ms }) => `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`);
  return [`\`${name}\``, ...cells, judged(ratio('p50Ms'), ratioMax, 2), ratio('p99Ms').toFixed(2)];
}

export const measure: Bench['measure'] = async ({ jobs }, run) => {
  const sizes = [measuredJobs, jobs / 10, jobs];
  if (jobs % (10 * measuredJobs) > 0) throw new Error(`--jobs must be a multiple of ${10 * measuredJobs}`);
  const stages: Stage[] = [];
  for (const size of sizes) stages.push(await openStage(size, run));
  // Until V8 has optimized what all operations run.
  await rowOf(getJob, stages, 20, run);
  const heading = sizes.map((size) => `${size.toLocaleString('en')} jobs`);
  const rows = [['p50 / p99 in ms', ...heading, 'ratio of p50', 'of p99']];
  for (const one of operations) rows.push(await rowOf(one, stages, secondsEach, run));
  return [markdownTable(rows)];
};
