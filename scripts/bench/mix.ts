import { join, resolve } from 'node:path';
import { type Bounds, type Entrant, inRounds, load, type Requests, type Round } from './load.ts';
import { count, option, type Run, root, runBench, wholeNumber } from './program.ts';
import { alignRight, machineNote, median, spreadOf } from './report.ts';
import { type Input, type Measured, newJob, requestOver } from './requests.ts';
import { loadCompanies, type SampleCompanies, type SampleCompany } from './sample-data.ts';
import { onServer, openDatabase, processCpu, servicePlan, startServer } from './servers.ts';

const companies = 50;
const jobsEach = 100;
const warmUp = { connections: 32, seconds: 3, answers: 10_000 };
const mcpShare = 1 / 3;
/** Of a hundred requests. */
const shares: readonly (readonly [Measured, number])[] = [
  ['getJob', 60],
  ['listJobs', 15],
  ['listCategories', 4],
  ['listRegions', 3],
  ['listOptions', 3],
  ['updateJob', 10],
  ['createJob', 5],
];
const hundred = shares.flatMap(([operationId, share]) => Array<Measured>(share).fill(operationId));

const options = {
  against: option('a checkout to compare with; may be given several times', 'DIR', (given) => [
    root,
    ...given.map((folder) => resolve(folder)),
  ]),
  rounds: count('of each checkout at each number of connections', 12, 999),
  seconds: count('of load in each round', 2, 999),
  connections: option('a number of connections; may be given several times (16 and 64)', 'N', (given) =>
    (given.length > 0 ? given : ['16', '64']).map((text) => wholeNumber(text, 999)),
  ),
};
const about = `Fifty companies, each with a credential of its own, send this service a mix: 60 % GET /jobs/{id}, 15 % GET /jobs, 10 % reference data,
10 % PATCH and 5 % POST, a third of each as calls of MCP tools. Other built checkouts take turns with it.`;

/** A checkout that runs, on a database of its own. */
interface Contestant extends Entrant {
  readonly databaseUrl: string;
}

interface Costs extends Round {
  /** Microseconds of CPU time per answer. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
}

/** Draws the next request of the mix from a pseudo-random sequence that is the same for every checkout. */
function mixOf({ companies, job }: SampleCompanies): Requests['requests'] {
  let seed = 1;
  const random = () => {
    // Numerical Recipes' linear congruential generator.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  let changed = 0;
  const inputOf = (operationId: Measured, { jobIds }: SampleCompany): Input => {
    switch (operationId) {
      case 'getJob':
        return { id: oneOf(jobIds) };
      case 'listJobs':
        return { query: { page: oneOf([1, 2, 3]), per_page: 25 } };
      case 'updateJob': {
        changed += 1;
        // One job after the other, so that no two requests in flight change the same one.
        const id = jobIds[changed % jobIds.length] ?? 0;
        return { id, job: { requirements: `Alteração ${changed} dos requisitos.` } };
      }
      case 'createJob':
        return newJob(job);
      default:
        return {};
    }
  };
  const draw = () => {
    const company = oneOf(companies);
    const operationId = oneOf(hundred);
    const input = inputOf(operationId, company);
    return requestOver[random() < mcpShare ? 'mcp' : 'rest'](operationId, company.token, input);
  };
  return [{ setupRequest: (request) => ({ ...request, ...draw() }) }];
}

async function enter(checkout: string, run: Run): Promise<Contestant> {
  const dist = join(checkout, 'dist');
  const { url: databaseUrl } = await openDatabase(dist, run);
  const data = await loadCompanies(databaseUrl, companies, jobsEach);
  const name = checkout === root ? 'this checkout' : checkout;
  const server = await startServer(servicePlan(dist, { DATABASE_URL: databaseUrl }, name), run);
  const isRight = (body: string) => !body.includes('"isError":true');
  return { name, server, databaseUrl, requests: mixOf(data), statuses: [200, 201], isRight };
}

/** Processor time of all server processes of a database, which its service keeps connected, in microseconds. */
const databaseCpu = (url: string): Promise<number> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.reduce((total, { pid }) => total + processCpu(pid), 0);
  });

async function costsOf(contestant: Contestant, bounds: Bounds, signal: AbortSignal): Promise<Costs> {
  const before = await databaseCpu(contestant.databaseUrl);
  const round = await load(contestant, bounds, signal);
  const { failures, cpuMicroseconds, latenciesMs } = round;
  const answers = latenciesMs.length;
  if (failures > 0)
    throw new Error(`${contestant.name}: ${failures} of ${answers} requests were not answered as they should be`);
  const databaseMicroseconds = (await databaseCpu(contestant.databaseUrl)) - before;
  return { ...round, serviceCpu: cpuMicroseconds / answers, databaseCpu: databaseMicroseconds / answers };
}

const cpuColumns = ['service CPU µs', 'PostgreSQL CPU µs', 'CPU of both, lowest', 'ratio'];
const columns = ['', 'requests/s', 'p50 ms', 'p99 ms', ...cpuColumns];

/**
 * Medians of the rounds. The ratio, to the first checkout, is of the lowest: what else runs on the machine only ever adds to processor
 * time. Below 1 is cheaper.
 */
function table(rounds: ReadonlyMap<Contestant, readonly Costs[]>): string[] {
  const lowest = (own: readonly Costs[]) => Math.min(...own.map((round) => round.serviceCpu + round.databaseCpu));
  const first = lowest([...rounds.values()][0] ?? []);
  const rows = [...rounds].map(([{ name }, own]) => {
    const { p50Ms, p99Ms } = spreadOf(own.flatMap(({ latenciesMs }) => latenciesMs));
    return [
      name,
      median(own.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
      median(own.map(({ serviceCpu }) => serviceCpu)).toFixed(0),
      median(own.map((round) => round.databaseCpu)).toFixed(0),
      lowest(own).toFixed(0),
      (lowest(own) / first).toFixed(2),
    ];
  });
  return alignRight([columns, ...rows]);
}

export const runMix = (): Promise<void> =>
  runBench('bench -- --mix', about, options, async ({ against, rounds, seconds, connections }, run) => {
    console.log(machineNote(`PostgreSQL, limits in ${process.env.REDIS_URL ? 'Redis' : 'PostgreSQL'}`));
    const contestants: Contestant[] = [];
    for (const checkout of against) contestants.push(await enter(checkout, run));
    for (const one of contestants) {
      for (let answers = 0; answers < warmUp.answers; )
        answers += (await costsOf(one, warmUp, run.signal)).latenciesMs.length;
    }
    for (const at of connections) {
      const done = await inRounds(contestants, rounds, (one) => costsOf(one, { connections: at, seconds }, run.signal));
      console.log(`\n${at} connections\n${table(done).join('\n')}`);
    }
  });
