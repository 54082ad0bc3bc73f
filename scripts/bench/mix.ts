import { packageRoot } from '../../src/database/prisma-folder.ts';
import { type Entrant, measure as measureRounds } from './load.ts';
import { printTable, quantile } from './report.ts';
import { drawer } from './requests.ts';
import { loadCompanies } from './sample-data.ts';
import { openDatabase, startService } from './servers.ts';

/** How many of a hundred requests each operation gets. A third of all requests go over MCP. */
const shares = [
  ['getJob', 60],
  ['listJobs', 15],
  ['listCategories', 4],
  ['listRegions', 3],
  ['listOptions', 3],
  ['updateJob', 10],
  ['createJob', 5],
] as const;

/** Starts the service of a built checkout, on a new database with fifty companies. */
export async function enter(checkout: string) {
  const databaseUrl = await openDatabase(checkout);
  const sample = await loadCompanies(databaseUrl, { companies: 50, jobsEach: 100 });
  const name = checkout === packageRoot ? 'this checkout' : checkout;
  const server = await startService(checkout, { DATABASE_URL: databaseUrl }, name);
  return { ...server, databaseUrl, sample };
}

interface Settings {
  readonly isShort: boolean;
  readonly against: readonly string[];
  /** The operations to send. Empty means all, in their shares. */
  readonly only: readonly string[];
}

/** Prints the figures of each checkout. The ratio divides that checkout's lowest CPU by this checkout's: below 1, that checkout is cheaper. */
export async function measure({ isShort, against, only }: Settings): Promise<void> {
  const sent = shares.filter(([operationId]) => only.length === 0 || only.includes(operationId));
  if (sent.length < only.length)
    throw new Error(`The mix has these operations: ${shares.map(([id]) => id).join(', ')}`);
  const entrants: Entrant[] = [];
  for (const checkout of [packageRoot, ...against]) {
    const { sample, ...server } = await enter(checkout);
    entrants.push({ ...server, next: drawer(sample, sent, 1 / 3) });
  }
  const size = isShort ? { warmUp: 1, rounds: 1 } : { warmUp: 10_000, rounds: 12 };
  for (const connections of [16, 64]) {
    const figures = await measureRounds(entrants, { ...size, connections, seconds: 2 });
    const rows = figures.map((own, index) => [
      entrants[index]?.name ?? '',
      own.requestsPerSecond.toFixed(0),
      ...[0.5, 0.99].map((share) => quantile(own.latenciesMs, share).toFixed(1)),
      ...[own.serviceCpu, own.databaseCpu, own.bothCpu].map((value) => value.toFixed(0)),
      (own.bothCpu / (figures[0]?.bothCpu ?? 1)).toFixed(2),
    ]);
    const cpu = ['service CPU µs', 'PostgreSQL CPU µs', 'CPU of both, lowest', 'ratio'];
    printTable([[`${connections} connections`, 'requests/s', 'p50 ms', 'p99 ms', ...cpu], ...rows]);
  }
}
