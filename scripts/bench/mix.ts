import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { type ChildServer, limitsLifted, processCpu, startServer } from './child-server.ts';
import { createDatabase, migrateDatabase, onServer } from './database.ts';
import { machineNote } from './machine.ts';
import type { Ask, Measured } from './operations.ts';
import { mcpRequest, restRequest } from './questions.ts';
import { alignRight } from './report.ts';
import { loadCompanies, type MixedData, type SampleCompany } from './sample-data.ts';
import { root } from './settings.ts';

const usage = `npm run bench -- --mix [options]

Fifty companies, each with a credential of its own, ask this service a mix: 60 % GET /jobs/{id}, 15 % GET /jobs, 10 % reference data,
10 % PATCH and 5 % POST, a third of each as calls of MCP tools. Other checkouts, built, are asked in turn with it.

  --against DIR     a checkout to compare with; may be given several times
  --rounds N        of each checkout at each number of connections (12)
  --seconds N       of load in each round (2)
  --connections N   a number of connections; may be given several times (16 and 64)`;

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

interface Settings {
  readonly checkouts: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
}

/** A checkout that runs, on a database of its own. */
interface Entrant {
  readonly name: string;
  readonly server: ChildServer;
  readonly databaseUrl: string;
  readonly requests: autocannon.Request[];
}

interface Round {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Microseconds of processor time by answer. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
}

/** Draws the next request of the mix; a pseudo-random sequence that is the same for every checkout. */
function mixOf({ companies, job }: MixedData): autocannon.Request[] {
  let seed = 1;
  const random = () => {
    // Numerical Recipes' linear congruential generator.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  let changed = 0;
  const askOf = (operationId: Measured, { jobIds }: SampleCompany): Ask => {
    switch (operationId) {
      case 'getJob':
        return { id: jobIds[Math.floor(random() * jobIds.length)] ?? 0 };
      case 'listJobs':
        return { query: { page: 1 + Math.floor(random() * 3), per_page: 25 } };
      case 'updateJob':
        changed += 1;
        // One job after the other, so that no two requests in flight change the same one.
        return {
          id: jobIds[changed % jobIds.length] ?? 0,
          job: { requirements: `Alteração ${changed} dos requisitos.` },
        };
      case 'createJob':
        return { key: randomUUID(), job };
      default:
        return {};
    }
  };
  const draw = () => {
    const company = companies[Math.floor(random() * companies.length)];
    if (!company) throw new Error('there is no company');
    const operationId = hundred[Math.floor(random() * hundred.length)] ?? 'getJob';
    const ask = askOf(operationId, company);
    return random() < mcpShare
      ? mcpRequest(operationId, company.token, ask)
      : restRequest(operationId, company.token, ask);
  };
  return [{ setupRequest: (request) => ({ ...request, ...draw() }) }];
}

async function enter(checkout: string, index: number, started: (stop: () => Promise<void>) => void): Promise<Entrant> {
  const dist = join(checkout, 'dist');
  const database = await createDatabase(`_${index}`);
  started(database.drop);
  migrateDatabase(dist, database.url);
  const data = await loadCompanies(database.url, companies, jobsEach);
  const server = await startServer({
    name: checkout,
    program: [join(dist, 'src', 'main.js')],
    env: { ...limitsLifted, DATABASE_URL: database.url, LOG_LEVEL: 'error' },
  });
  started(server.stop);
  return {
    name: checkout === root ? 'this checkout' : checkout,
    server,
    databaseUrl: database.url,
    requests: mixOf(data),
  };
}

/** Processor time of all server processes of a database, which its service keeps connected, in microseconds. */
const databaseCpu = (url: string): Promise<number> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    return rows.reduce((sum, { pid }) => sum + (processCpu(pid) ?? Number.NaN), 0);
  });

async function load(
  { name, server, databaseUrl, requests }: Entrant,
  connections: number,
  seconds: number,
): Promise<Round> {
  const before = { service: processCpu(server.pid) ?? Number.NaN, database: await databaseCpu(databaseUrl) };
  const latenciesMs: number[] = [];
  let wrong = 0;
  const result = await new Promise<autocannon.Result>((done, fail) => {
    const options: autocannon.Options = {
      url: server.origin,
      connections,
      duration: seconds,
      requests,
      timeout: 10,
      verifyBody: (body) => !String(body).includes('"isError":true'),
    };
    const instance = autocannon(options, (error, finished) => (error ? fail(error) : done(finished)));
    instance.on('response', (_client, status, _bytes, ms) => {
      if (status !== 200 && status !== 201) wrong += 1;
      latenciesMs.push(ms);
    });
  });
  const failures = wrong + result.errors + result.mismatches;
  if (failures > 0)
    throw new Error(`${name}: ${failures} of ${latenciesMs.length} requests were not answered as they should be`);
  const answers = latenciesMs.length;
  return {
    perSecond: answers / result.duration,
    latenciesMs,
    serviceCpu: ((processCpu(server.pid) ?? Number.NaN) - before.service) / answers,
    databaseCpu: ((await databaseCpu(databaseUrl)) - before.database) / answers,
  };
}

const middle = (values: readonly number[], share = 0.5): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const columns = [
  '',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'service CPU µs',
  'PostgreSQL CPU µs',
  'CPU of both, lowest',
  'ratio',
];

/**
 * Medians of the rounds. The ratio, to the first checkout, is of the lowest: what else runs on the machine only ever adds to processor
 * time. Below 1 is cheaper.
 */
function table(rounds: ReadonlyMap<Entrant, readonly Round[]>): string {
  const lowest = (own: readonly Round[]) => Math.min(...own.map((round) => round.serviceCpu + round.databaseCpu));
  const first = lowest([...rounds.values()][0] ?? []);
  const rows = [...rounds].map(([{ name }, own]) => {
    const latencies = own.flatMap(({ latenciesMs }) => latenciesMs);
    return [
      name,
      middle(own.map(({ perSecond }) => perSecond)).toFixed(0),
      middle(latencies).toFixed(1),
      middle(latencies, 0.99).toFixed(1),
      middle(own.map(({ serviceCpu }) => serviceCpu)).toFixed(0),
      middle(own.map((round) => round.databaseCpu)).toFixed(0),
      lowest(own).toFixed(0),
      (lowest(own) / first).toFixed(2),
    ];
  });
  return alignRight([columns, ...rows]).join('\n');
}

async function compare({ checkouts, rounds, seconds, connections }: Settings): Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  try {
    const entrants: Entrant[] = [];
    for (const [index, checkout] of checkouts.entries())
      entrants.push(await enter(checkout, index, (stop) => stops.unshift(stop)));
    for (const entrant of entrants) {
      for (let answers = 0; answers < warmUp.answers; )
        answers += (await load(entrant, warmUp.connections, warmUp.seconds)).latenciesMs.length;
    }
    for (const count of connections) {
      const done = new Map<Entrant, Round[]>(entrants.map((entrant) => [entrant, []]));
      for (let round = 0; round < rounds; round++) {
        for (const turn of entrants.keys()) {
          const entrant = entrants[(round + turn) % entrants.length];
          if (entrant) done.get(entrant)?.push(await load(entrant, count, seconds));
        }
      }
      console.log(`\n${count} connections\n${table(done)}`);
    }
  } finally {
    for (const stop of stops) await stop();
  }
}

function readSettings(): Settings | undefined {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      mix: { type: 'boolean' },
      help: { type: 'boolean' },
      against: { ...text, multiple: true },
      connections: { ...text, multiple: true },
      rounds: text,
      seconds: text,
    },
  });
  if (values.help) {
    console.log(usage);
    return undefined;
  }
  const count = (name: string, value: string): number => {
    if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
    throw new Error(`--${name} must be a whole number from 1 to 999\n\n${usage}`);
  };
  return {
    checkouts: [root, ...(values.against ?? []).map((folder) => resolve(folder))],
    rounds: count('rounds', values.rounds ?? '12'),
    seconds: count('seconds', values.seconds ?? '2'),
    connections: (values.connections ?? ['16', '64']).map((value) => count('connections', value)),
  };
}

/** Throws one line where a server does not start or an answer is wrong. */
export async function runMix(): Promise<void> {
  const settings = readSettings();
  if (!settings) return;
  console.log(machineNote(`PostgreSQL, limits in ${process.env.REDIS_URL ? 'Redis' : 'PostgreSQL'}`));
  await compare(settings);
}
