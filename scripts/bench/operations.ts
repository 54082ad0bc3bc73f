import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { operationOf } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import type { Bench } from './bench.ts';
import { measure as measureRounds, warm } from './load.ts';
import { markdownTable, whole } from './report.ts';
import { drawer, type Input, newJob, requestOver, toolOf } from './requests.ts';
import { loadCompanies, type SampleCompanies } from './sample-data.ts';
import { type ChildServer, limitsLifted, openDatabase, servicePlan, startServer } from './servers.ts';

export const about = 'each operation against a hand-written floor, Fastify and the MCP SDK (without an option)';
export const defaults: Bench['defaults'] = { rounds: 9 };

const operations = ['getJob', 'listJobs', 'listCategories', 'updateJob', 'createJob'] as const satisfies OperationId[];
/** The peers of each protocol, by their programs. */
const peers = { rest: ['floor', 'fastify'], mcp: ['sdk'] } as const;
const names = { floor: 'the floor', fastify: 'Fastify', sdk: "the SDK's server" } as const;
type Protocol = keyof typeof peers;

/** What a server answers to one input, without what differs between any two jobs. */
async function answerOf({ origin }: ChildServer, protocol: Protocol, id: OperationId, token: string, input: Input) {
  const { path, ...init } = requestOver[protocol](id, token, input);
  const response = await fetch(origin + path, init);
  const { result, ...body } = await response.json();
  const { http_status: status, response: shown } = result?.structuredContent ?? {
    http_status: response.status,
    response: body,
  };
  if (status >= 300) return { status };
  if (id === 'createJob' || id === 'updateJob') Object.assign(shown.data, { id: 0, created_at: '', updated_at: '' });
  return { status, shown };
}

/** Asserts that the servers do the same work: equal answers to each operation, and the same status for the same mistakes. */
async function assertSameAnswers(own: ChildServer, other: ChildServer, protocol: Protocol, data: SampleCompanies) {
  const [{ token, jobIds } = { token: '', jobIds: [] }, stranger] = data.companies;
  const [id = 0, changed = 0] = jobIds;
  const { job } = data;
  const asked: readonly (readonly [OperationId, Input, (string | undefined)?])[] = [
    ['getJob', { id }],
    ['listJobs', { query: { page: 2, per_page: 25 } }],
    ['listCategories', {}],
    ['updateJob', { id: changed, job: { title: 'Programadora', valid_until: null } }],
    ['createJob', newJob(job)],
    ['getJob', { id }, stranger?.token],
    ['getJob', { id }, `${token}x`],
    ['updateJob', { id: 999_999_999, job: { title: 'Outra' } }],
    ['createJob', newJob({ ...job, title: '' })],
  ];
  for (const [operationId, input, as = token] of asked) {
    const mine = await answerOf(own, protocol, operationId, as, input);
    const again = input.key === undefined ? input : newJob(input.job);
    const theirs = await answerOf(other, protocol, operationId, as, again);
    deepStrictEqual(theirs, mine, `${other.name} does not answer ${operationId} over ${protocol} as the service does`);
  }
}

/** Ratios are of the CPU time of server and PostgreSQL, the lowest of the rounds: below 1, the service is cheaper. */
export const measure: Bench['measure'] = async ({ rounds }, run) => {
  const databaseUrl = await openDatabase(packageRoot, run);
  const data = await loadCompanies(databaseUrl, 50, 100);
  const env = { DATABASE_URL: databaseUrl };
  const own = await startServer(servicePlan(packageRoot, env), run);
  const started = new Map<string, ChildServer>();
  for (const [file, name] of Object.entries(names)) {
    const program = [join(import.meta.dirname, 'peers', `${file}-server.js`)];
    started.set(file, await startServer({ name, program, env: { ...env, ...limitsLifted } }, run));
  }
  const rows: string[][] = [];
  for (const protocol of ['rest', 'mcp'] as const) {
    const servers = [own, ...peers[protocol].flatMap((file) => started.get(file) ?? [])];
    for (const other of servers.slice(1)) await assertSameAnswers(own, other, protocol, data);
    for (const operationId of operations) {
      const next = () => drawer(data, [[operationId, 100]], protocol === 'mcp' ? 1 : 0);
      const entrants = servers.map((server) => ({ name: server.name, server, databaseUrl, next: next() }));
      await warm(entrants, run.signal, 3000);
      const figures = await measureRounds(entrants, rounds, { connections: 32, seconds: 1 }, run.signal);
      const [mine, ...theirs] = figures;
      if (!mine) continue;
      const { method, path } = operationOf(operationId);
      const ratios = Object.values(names).map((name) => {
        const peer = theirs.find((one) => one.name === name);
        return peer ? (mine.bothCpu / peer.bothCpu).toFixed(2) : '';
      });
      const name = protocol === 'rest' ? `${method.toUpperCase()} ${path}` : toolOf(operationId);
      const cells = [mine.requestsPerSecond, mine.serviceCpu, mine.databaseCpu].map(whole);
      rows.push([`\`${name}\``, ...cells, ...ratios]);
    }
  }
  const columns = Object.values(names).map((name) => `of ${name}`);
  return [markdownTable([['operation', 'requests/s', 'service CPU µs', 'PostgreSQL CPU µs', ...columns], ...rows])];
};
