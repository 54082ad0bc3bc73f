import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ChildServer } from './child-server.ts';
import { type Ask, loads, type Measured } from './operations.ts';
import { argumentsOf, mcpHeaders, restRequest, toolOf } from './questions.ts';
import { otherToken, withoutIdentity } from './same-job.ts';
import type { SampleData } from './sample-data.ts';

interface Outcome {
  readonly http_status: number;
  readonly response?: { readonly data?: Readonly<Record<string, unknown>> } | null;
}

interface RpcResponse {
  readonly result?: {
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: Outcome;
    readonly isError?: boolean;
  };
  readonly error?: unknown;
}

type Asker = (method: string, params: unknown, token?: string) => Promise<{ status: number; body: RpcResponse }>;

/**
 * Asserts that the MCP servers do the same work: `servers` have the same tools and answer the same to every call and mistake;
 * the `floors` answer the same to every tool's call. What `get_job` answers is what `GET /jobs/{id}` answers.
 */
export async function assertSameTools(
  servers: readonly ChildServer[],
  floors: readonly ChildServer[],
  sample: SampleData,
): Promise<void> {
  const [own] = servers;
  if (!own) return;
  // Jobs that the same assertion about REST has not touched.
  const first = sample.writer.jobIds.length / 2;
  const all = [...servers, ...floors];
  const [mine, ...others] = await Promise.all(
    all.map((server, turn) => callsOf(askerOf(server, sample), sample, first + 2 * turn)),
  );
  others.forEach((calls, index) => {
    deepStrictEqual(calls, mine, `${all[index + 1]?.name} does not answer as ${own.name} does`);
  });
  const [protocol, ...rest] = await Promise.all(servers.map((server) => protocolOf(askerOf(server, sample), sample)));
  for (const other of rest) deepStrictEqual(other, protocol, `no two servers speak MCP as ${own.name} does`);
  deepStrictEqual(mine?.read?.response, await readOverRest(own, sample), 'get_job does not answer as GET does');
}

async function readOverRest({ origin }: ChildServer, { reader }: SampleData): Promise<unknown> {
  const { path, ...init } = restRequest('getJob', reader.token, { id: reader.jobIds[0] ?? 0 });
  const response = await fetch(`${origin}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
  return response.json();
}

function askerOf({ origin }: ChildServer, { reader }: SampleData): Asker {
  let id = 0;
  return async (method, params, token = reader.token) => {
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: mcpHeaders(token),
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, body: (await response.json()) as RpcResponse };
  };
}

/** One call of every tool, and some that are refused; each answer is the same as text and as structured content. */
async function callsOf(ask: Asker, sample: SampleData, turn: number) {
  const call = async (operationId: Measured, asked: Ask): Promise<Outcome | undefined> => {
    const params = { name: toolOf(operationId), arguments: argumentsOf(asked) };
    const { body } = await ask('tools/call', params, loads[operationId].company(sample).token);
    const { content, structuredContent, isError } = body.result ?? {};
    deepStrictEqual(JSON.parse(content?.[0]?.text ?? 'null'), structuredContent, `${params.name} says two things`);
    strictEqual(isError, (structuredContent?.http_status ?? 500) >= 400, `${params.name} is unclear about its success`);
    return structuredContent;
  };
  const key = randomUUID();
  const { job, writer, reader } = sample;
  const [changed = 0, withdrawn = 0] = writer.jobIds.slice(turn, turn + 2);
  const refused = async (operationId: Measured, asked: Ask) => (await call(operationId, asked))?.http_status;
  return {
    account: await call('getAccount', {}),
    categories: await call('listCategories', {}),
    regions: await call('listRegions', {}),
    options: await call('listOptions', {}),
    list: await call('listJobs', { query: { page: 1, per_page: 25 } }),
    filtered: await call('listJobs', { query: { status: 'active', per_page: 3 } }),
    read: await call('getJob', { id: reader.jobIds[0] ?? 0 }),
    created: withoutIds(await call('createJob', { key, job })),
    replayed: withoutIds(await call('createJob', { key, job })),
    changed: withoutIds(await call('updateJob', { id: changed, job: { salary_max: 3300.25, requirements: null } })),
    withdrawn: await call('withdrawJob', { id: withdrawn }),
    conflict: await refused('createJob', { key, job: { ...job, title: 'Outro título' } }),
    missing: await refused('getJob', { id: 999_999_999 }),
    invalid: await refused('updateJob', { id: changed, job: {} }),
  };
}

const withoutIds = (outcome: Outcome | undefined) =>
  outcome && { ...outcome, response: { ...outcome.response, data: withoutIdentity(outcome.response?.data) } };

/** What the protocol layer says by itself, and word for word what it says of refusals. */
async function protocolOf(ask: Asker, { reader }: SampleData) {
  return {
    initialized: await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    }),
    tools: await ask('tools/list', {}),
    missing: await ask('tools/call', { name: 'get_job', arguments: { id: 999_999_999 } }),
    invalid: await ask('tools/call', { name: 'get_job', arguments: { id: 'one', colour: 'red' } }),
    unknown: await ask('tools/call', { name: 'drop_table', arguments: {} }),
    // Refused before the protocol, where the peer has an envelope of its own.
    stranger: (await ask('tools/list', {}, otherToken(reader.token))).status,
  };
}
