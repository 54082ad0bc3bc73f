import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { operationOf } from '../../src/contract/document.ts';
import type { OperationId } from '../../src/contract/types.ts';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { measure as measureRounds } from './load.ts';
import { enter } from './mix.ts';
import { printTable, whole } from './report.ts';
import { drawer, type Input, newJob, requestOver, toolOf } from './requests.ts';
import type { Sample } from './sample-data.ts';
import { type ChildServer, startServer } from './servers.ts';

const operations = ['getJob', 'listJobs', 'listCategories', 'updateJob', 'createJob'] as const satisfies OperationId[];
type Protocol = keyof typeof requestOver;
const peers: readonly (readonly [program: string, name: string, Protocol])[] = [
  ['floor', 'the floor', 'rest'],
  ['fastify', 'Fastify', 'rest'],
  ['sdk', "the SDK's server", 'mcp'],
];

/** Returns a server's answer to one input, without the parts that differ from job to job. */
async function answerOf({ origin }: ChildServer, protocol: Protocol, id: OperationId, token: string, input: Input) {
  const { path, ...init } = requestOver[protocol](id, token, input);
  const response = await fetch(origin + path, init);
  const { result, ...body } = JSON.parse(await response.text());
  const own = { http_status: response.status, response: body };
  const { http_status: status, response: shown } = result?.structuredContent ?? own;
  if (status >= 300) return { status };
  if (id === 'createJob' || id === 'updateJob') Object.assign(shown.data, { id: 0, created_at: '', updated_at: '' });
  return { status, shown };
}

/** Asserts that the servers do the same work: equal answers to each operation, and the same status for the same mistakes. */
async function assertSameAnswers(own: ChildServer, other: ChildServer, protocol: Protocol, sample: Sample) {
  const [{ token, jobIds } = { token: '', jobIds: [] }, stranger] = sample.companies;
  const [id = 0, changed = 0] = jobIds;
  const { job } = sample;
  const asked: readonly (readonly [OperationId, () => Input, (string | undefined)?])[] = [
    ['getJob', () => ({ id })],
    ['listJobs', () => ({ query: { page: 2, per_page: 25 } })],
    ['listCategories', () => ({})],
    ['updateJob', () => ({ id: changed, job: { title: 'Programadora', valid_until: null } })],
    ['createJob', () => newJob(job)],
    ['getJob', () => ({ id }), stranger?.token],
    ['getJob', () => ({ id }), `${token}x`],
    ['updateJob', () => ({ id: 999_999_999, job: { title: 'Outra' } })],
    ['createJob', () => newJob({ ...job, title: '' })],
  ];
  for (const [operationId, input, as = token] of asked) {
    const mine = await answerOf(own, protocol, operationId, as, input());
    const theirs = await answerOf(other, protocol, operationId, as, input());
    deepStrictEqual(theirs, mine, `${other.name} does not answer ${operationId} over ${protocol} as the service does`);
  }
}

/** Divides the CPU time of the service and PostgreSQL by that of each peer and PostgreSQL, in the lowest rounds: below 1, the service is cheaper. */
export async function measure({ isShort }: { isShort: boolean }): Promise<void> {
  const { sample, databaseUrl, ...own } = await enter(packageRoot);
  const rows: string[][] = [];
  for (const protocol of ['rest', 'mcp'] as const) {
    const servers = [own];
    for (const [file, name] of peers.filter(([, , one]) => one === protocol)) {
      const program = ['--import', 'tsx', join(import.meta.dirname, 'peers', `${file}-server.ts`)];
      const peer = await startServer(name, program, { DATABASE_URL: databaseUrl });
      await assertSameAnswers(own, peer, protocol, sample);
      servers.push(peer);
    }
    for (const operationId of operations) {
      const next = () => drawer(sample, [[operationId, 100]], protocol === 'mcp' ? 1 : 0);
      const entrants = servers.map((server) => ({ ...server, databaseUrl, next: next() }));
      const size = isShort ? { warmUp: 1, rounds: 1 } : { warmUp: 3000, rounds: 9 };
      const [mine, ...theirs] = await measureRounds(entrants, { ...size, connections: 32, seconds: 1 });
      if (!mine) continue;
      const { method, path } = operationOf(operationId);
      const name = protocol === 'rest' ? `${method.toUpperCase()} ${path}` : toolOf(operationId);
      const cells = [mine.requestsPerSecond, mine.serviceCpu, mine.databaseCpu].map(whole);
      const ratios = theirs.map(({ bothCpu }) => (mine.bothCpu / bothCpu).toFixed(2));
      rows.push([`\`${name}\``, ...cells, ...(protocol === 'mcp' ? ['', ''] : []), ...ratios]);
    }
  }
  const ofPeers = peers.map(([, name]) => `of ${name}`);
  printTable([['operation', 'requests/s', 'service CPU µs', 'PostgreSQL CPU µs', ...ofPeers], ...rows]);
}
