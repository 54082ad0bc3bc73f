import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench, Run } from './bench.ts';
import { type Entrant, measure as measureRounds, warm } from './load.ts';
import { markdownTable } from './report.ts';
import { drawer } from './requests.ts';
import { loadCompanies } from './sample-data.ts';
import { openDatabase, servicePlan, startServer } from './servers.ts';

export const about = 'a mix of requests of fifty companies, also of other checkouts';
export const defaults: Bench['defaults'] = { rounds: 12 };

const [seconds, connections] = [2, [16, 64]] as const;

/** Of a hundred requests, a third of each as calls of tools. */
const shares = [
  ['getJob', 60],
  ['listJobs', 15],
  ['listCategories', 4],
  ['listRegions', 3],
  ['listOptions', 3],
  ['updateJob', 10],
  ['createJob', 5],
] as const;

/** A checkout that runs, on a database of its own. */
async function enter(checkout: string, run: Run): Promise<Entrant> {
  const databaseUrl = await openDatabase(checkout, run);
  const data = await loadCompanies(databaseUrl, 50, 100);
  const name = checkout === packageRoot ? 'this checkout' : checkout;
  const server = await startServer(servicePlan(checkout, { DATABASE_URL: databaseUrl }, name), run);
  return { name, server, databaseUrl, next: drawer(data, shares, 1 / 3) };
}

/** The ratio, to the first checkout, is of the lowest CPU: below 1 is cheaper. */
export const measure: Bench['measure'] = async ({ against, rounds }, run) => {
  const entrants: Entrant[] = [];
  for (const checkout of [packageRoot, ...against]) entrants.push(await enter(checkout, run));
  await warm(entrants, run.signal);
  const tables: string[] = [];
  for (const at of connections) {
    const figures = await measureRounds(entrants, rounds, { connections: at, seconds }, run.signal);
    const rows = figures.map((own) => [
      own.name,
      ...[own.requestsPerSecond, own.p50Ms, own.p99Ms].map((value, index) => value.toFixed(index === 0 ? 0 : 1)),
      ...[own.serviceCpu, own.databaseCpu, own.bothCpu].map((value) => value.toFixed(0)),
      (own.bothCpu / (figures[0]?.bothCpu ?? 1)).toFixed(2),
    ]);
    const cpu = ['service CPU µs', 'PostgreSQL CPU µs', 'CPU of both, lowest', 'ratio'];
    tables.push(markdownTable([[`${at} connections`, 'requests/s', 'p50 ms', 'p99 ms', ...cpu], ...rows]));
  }
  return tables;
};
