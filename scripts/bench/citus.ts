import { operationOf } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { PrivateCitus } from '../../test/faults/private-citus.ts';
import { PrivatePostgres } from '../../test/faults/private-postgres.ts';
import { measure as measureRounds } from './load.ts';
import { printTable, whole } from './report.ts';
import { drawer } from './requests.ts';
import { loadCompanies } from './sample-data.ts';
import { atEnd, migrate, startService } from './servers.ts';

const operations = ['getJob', 'createJob', 'updateJob'] as const satisfies OperationId[];

async function enter(name: string, databaseUrl: string, workerUrls: readonly string[] = []) {
  migrate(packageRoot, databaseUrl);
  const sample = await loadCompanies(databaseUrl, { companies: 8, jobsEach: 500 });
  const server = await startService(packageRoot, { DATABASE_URL: databaseUrl }, name);
  return { ...server, databaseUrl, workerUrls, sample };
}

/** Compares Citus with one PostgreSQL by the CPU time of the service and all nodes together, in the lowest round. Throws Skipped without Citus. */
export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  // The nodes of the cluster have the same settings.
  const single = await PrivatePostgres.make('shared_buffers = 64MB\nmax_connections = 150\njit = off\n');
  atEnd(() => single.remove());
  const cluster = await PrivateCitus.make();
  atEnd(() => cluster.remove());
  const { coordinator, workers } = cluster;
  const servers = [
    await enter('one PostgreSQL', single.url),
    await enter(
      'Citus',
      coordinator.url,
      workers.map(({ url }) => url),
    ),
  ];
  const rows: string[][] = [];
  for (const operationId of operations) {
    const entrants = servers.map(({ sample, ...own }) => ({ ...own, next: drawer(sample, [[operationId, 100]], 0) }));
    const size = isShort ? { warmUp: 1, rounds: 1, seconds: 1 } : { warmUp: 1000, rounds: 3, seconds: 4 };
    const figures = await measureRounds(entrants, { ...size, connections: 16 });
    const [one, spread] = figures.map(({ bothCpu }) => bothCpu);
    const { method, path } = operationOf(operationId);
    rows.push([
      `\`${method.toUpperCase()} ${path}\``,
      ...figures.flatMap(({ serviceCpu, databaseCpu }) => [serviceCpu, databaseCpu].map(whole)),
      `${((spread ?? Number.NaN) / (one ?? Number.NaN)).toFixed(1)} times`,
    ]);
  }
  const onCitus = ['on Citus: service', 'on Citus: all nodes', 'on Citus, together'];
  printTable([['CPU µs per answer', 'service', 'PostgreSQL', ...onCitus], ...rows]);
}
