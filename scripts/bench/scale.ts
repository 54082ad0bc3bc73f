import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { measureAdministration } from './administration.ts';
import { judged, printTable, quantile } from './report.ts';
import { type Input, newJob, restRequest, send } from './requests.ts';
import { loadCompanies, type Sample } from './sample-data.ts';
import { openDatabase, startService } from './servers.ts';

/** The measured companies have the same number of jobs at every size; only the number of the other companies' jobs differs. */
const [companies, jobsEach, others] = [10, 100, 9990];

/** A database of one size with a service of its own. */
interface Stage extends Sample {
  readonly databaseUrl: string;
  readonly origin: string;
  /** The time since which a fifth of a company's jobs have changed. */
  readonly recently: string;
}

async function openStage(jobs: number): Promise<Stage> {
  const databaseUrl = await openDatabase(packageRoot);
  const loaded = Date.now();
  const sample = await loadCompanies(databaseUrl, { companies, jobsEach, others, jobs });
  const { origin } = await startService(packageRoot, { DATABASE_URL: databaseUrl });
  return { ...sample, databaseUrl, origin, recently: new Date(loaded - (jobs * 60) / 5).toISOString() };
}

/**
 * A row's name, its operationId, and a function that makes the input of a request. `jobId(from, count)` cycles through `count` jobs of the
 * company, beginning with the job at index `from`.
 */
type Row = readonly [string, OperationId, ((stage: Stage, jobId: (from: number, count: number) => number) => Input)?];

const getJob: Row = ['GET /jobs/{id}', 'getJob', (_, jobId) => ({ id: jobId(0, 50) })];
/**
 * Reads come first; operations that leave jobs behind come last. Each PATCH changes a value, because without a change it would write nothing.
 */
const operations: readonly Row[] = [
  ['GET /account', 'getAccount'],
  ['GET /categories', 'listCategories'],
  ['GET /jobs', 'listJobs'],
  ['GET /jobs?status=active', 'listJobs', () => ({ query: { status: 'active' } })],
  ['GET /jobs?status=expired', 'listJobs', () => ({ query: { status: 'expired' } })],
  ['GET /jobs?updated_since', 'listJobs', ({ recently }) => ({ query: { updated_since: recently } })],
  getJob,
  ['PATCH /jobs/{id}', 'updateJob', (_, jobId) => ({ id: jobId(50, 25), job: { requirements: `${randomUUID()}.` } })],
  ['DELETE /jobs/{id}', 'withdrawJob', (_, jobId) => ({ id: jobId(75, 25) })],
  // Only the first request of each company creates a job.
  ['POST /jobs, repeated', 'createJob', ({ job }) => ({ key: 'repeated', job })],
  ['POST /jobs', 'createJob', ({ job }) => newJob(job)],
];

/** The number of an operation's warm-up requests, which are not measured, and the minimum time in seconds for all its requests. */
type Length = readonly [warmUp: number, seconds: number];

/** Measures one operation and returns its row. The stages get their requests in turn, so that noise affects all alike. */
async function rowOf(
  [name, operationId, inputOf]: Row,
  stages: readonly Stage[],
  [warmUp, seconds]: Length,
): Promise<string[]> {
  const latenciesMs = stages.map((): number[] => []);
  const end = performance.now() + seconds * 1000;
  for (let number = 0; number < warmUp || performance.now() < end; number++)
    for (const [index, stage] of stages.entries()) {
      const { token, jobIds } = stage.companies[number % companies] ?? { token: '', jobIds: [] };
      const jobId = (from: number, count: number) => jobIds[from + (Math.floor(number / companies) % count)] ?? 0;
      const request = restRequest(operationId, token, inputOf?.(stage, jobId) ?? {});
      const { status, ms } = await send(stage.origin, request);
      if (status < 200 || status >= 300) throw new Error(`${name}: ${status}`);
      if (number >= warmUp) latenciesMs[index]?.push(ms);
    }
  const at = (share: number) => latenciesMs.map((own) => quantile(own, share));
  const ratioOf = (values: readonly number[]) => (values.at(-1) ?? 0) / (values[0] ?? 1);
  const [p50, p99] = [at(0.5), at(0.99)];
  const cells = p50.map((value, index) => `${value.toFixed(1)} / ${p99[index]?.toFixed(1)}`);
  return [`\`${name}\``, ...cells, judged(ratioOf(p50), 1.3, 2), ratioOf(p99).toFixed(2)];
}

export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const sizes = [1000, ...(isShort ? [2000, 20_000] : [100_000, 1_000_000])];
  const length: Length = isShort ? [0, 1] : [300, 20];
  const stages: Stage[] = [];
  for (const size of sizes) stages.push(await openStage(size));
  // Warms up, until V8 has optimized the code that all operations run.
  await rowOf(getJob, stages, length);
  const heading = sizes.map((size) => `${size.toLocaleString('en')} jobs`);
  const rows = [['p50 / p99 in ms', ...heading, 'ratio of p50', 'of p99']];
  for (const one of operations) rows.push(await rowOf(one, stages, length));
  printTable(rows);
  const largest = stages.at(-1);
  if (largest) await measureAdministration(largest.databaseUrl, largest.origin, isShort ? 1 : 7);
}
