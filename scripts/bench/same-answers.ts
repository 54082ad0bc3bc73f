import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ChildServer } from './child-server.ts';
import { type Part, type Protocol, rivalsOver } from './comparisons.ts';
import { type Ask, loads, type Measured, measured } from './operations.ts';
import { mcpHeaders, mcpRequest, restRequest } from './questions.ts';
import type { SampleData } from './sample-data.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly data?: Readonly<Record<string, unknown>>; readonly meta?: unknown } | null;
  /** Over REST: whether it is a replay, and whether it names the new job's path. */
  readonly replayed?: string | null;
  readonly located?: boolean;
}

type Asker = (operationId: Measured, ask: Ask, token?: string) => Promise<Answer>;

/**
 * Asserts that the servers do the same work: over each protocol equal answers to the same requests of every operation and the same
 * status for the same mistakes, and the same job over both. The servers on this service's operations speak MCP word for word alike;
 * bare express has the reference data only.
 */
export async function assertSameAnswers(
  protocols: readonly Protocol[],
  servers: ReadonlyMap<Part | 'own', ChildServer>,
  sample: SampleData,
): Promise<void> {
  const own = servers.get('own');
  if (!own) throw new Error('the service is not running');
  // No two change the same job.
  let turn = 0;
  for (const protocol of protocols) {
    const askerOf = protocol === 'rest' ? restAsker : mcpAsker;
    const rivalsHere = rivalsOver(protocol, 'getJob').flatMap((part) => servers.get(part) ?? []);
    const asked = [own, ...rivalsHere].map((server) => answersOf(askerOf(server, sample), sample, turn++));
    const [mine, ...others]: unknown[] = await Promise.all(asked);
    others.forEach((answers, index) => {
      deepStrictEqual(answers, mine, `${rivalsHere[index]?.name} does not answer as ${own.name} does over ${protocol}`);
    });
  }
  const bare = servers.get('bare');
  if (bare) {
    const [list, mine] = await Promise.all([bare, own].map((server) => referenceOf(restAsker(server, sample))));
    deepStrictEqual(list, mine, `${bare.name} does not answer as ${own.name} does`);
  }
  const layer = servers.get('layer');
  if (!layer) return;
  const one = { id: sample.reader.jobIds[0] ?? 0 };
  const [tool, route] = await Promise.all([mcpAsker, restAsker].map((asker) => asker(own, sample)('getJob', one)));
  deepStrictEqual(tool?.body, route?.body, 'get_job does not answer as GET does');
  deepStrictEqual(await protocolOf(layer, sample), await protocolOf(own, sample), 'no two servers speak MCP alike');
}

async function answersOf(ask: Asker, sample: SampleData, turn: number) {
  const { job, reader, writer } = sample;
  const [id = 0, withdrawn = 0] = writer.jobIds.slice(2 * turn);
  const queries = [{}, { page: 1, per_page: 25 }, { page: 40, per_page: 25 }, { page: 41 }];
  const filters = [
    { status: 'active', per_page: 3 },
    { status: 'inactive', page: 2 },
  ];
  const key = randomUUID();
  const created = await ask('createJob', { key, job });
  const again = await ask('createJob', { key, job });
  deepStrictEqual(again.body, created.body, 'a create is not replayed');
  const elsewhere = await ask('getJob', { id: Number(created.body?.data?.id) }, reader.token);
  strictEqual(elsewhere.status, 404, 'a job is shown to another company');
  const language_requirements = ['Português'];
  return {
    reference: await referenceOf(ask),
    account: await ask('getAccount', {}),
    read: await ask('getJob', { id: reader.jobIds[0] ?? 0 }),
    lists: await Promise.all([...queries, ...filters].map((query) => ask('listJobs', { query }))),
    created: withoutIdentity(created),
    replayed: [again.status, again.replayed],
    conflict: (await ask('createJob', { key, job: { ...job, title: 'Outro título' } })).status,
    // Of an active job, which goes back to review.
    changes: [
      await ask('updateJob', { id, job: { salary_max: 3300.25, language_requirements: null } }),
      await ask('updateJob', { id, job: { title: 'Programadora', language_requirements, valid_until: null } }),
    ].map(withoutIdentity),
    withdrawals: [await ask('withdrawJob', { id: withdrawn }), await ask('withdrawJob', { id: withdrawn })],
    mistakes: await mistakesOf(ask, sample),
  };
}

async function referenceOf(ask: Asker) {
  const lists = [await ask('listCategories', {}), await ask('listRegions', {}), await ask('listOptions', {})];
  for (const { status } of lists) strictEqual(status, 200, 'a list of reference data is not answered');
  return lists;
}

/** Without what no two jobs can have alike. */
const withoutIdentity = ({ body, ...answer }: Answer): Answer => ({
  ...answer,
  body: body && { data: { ...body.data, id: 0, created_at: '', updated_at: '' } },
});

async function mistakesOf(ask: Asker, { job, reader, writer }: SampleData): Promise<number[]> {
  const id = writer.jobIds[0] ?? 0;
  const key = randomUUID();
  const title = 'Outro título';
  const { title: _, ...untitled } = job;
  // Whether a name is unknown is for the server to find out.
  const coloured = { colour: 'red' } as Ask['job'];
  const queries = [{ per_page: 101 }, { status: 'lost' }, { colour: 'red' }];
  const others = [{ id: 999_999_999 }, { id: reader.jobIds[0] ?? 0 }];
  const answers = [
    ...queries.map((query) => ask('listJobs', { query })),
    ask('createJob', { job }),
    ...[untitled, { ...job, ...coloured }].map((wrong) => ask('createJob', { key, job: wrong })),
    ...[{}, { ...coloured }].map((wrong) => ask('updateJob', { id, job: wrong })),
    ...others.map((other) => ask('getJob', other, writer.token)),
    ...others.map((other) => ask('updateJob', { ...other, job: { title } })),
    ...others.map((other) => ask('withdrawJob', other)),
    ...measured.map((operationId) => {
      const body = ['createJob', 'updateJob'].includes(operationId) ? { job } : {};
      return ask(operationId, { id, key, ...body }, otherToken(writer.token));
    }),
  ];
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** A token that nobody has, as like a real one as can be. */
const otherToken = (token: string): string => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;

const send = ({ origin }: ChildServer, { path, ...init }: { path: string } & RequestInit): Promise<Response> =>
  fetch(`${origin}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });

function restAsker(server: ChildServer, sample: SampleData): Asker {
  return async (operationId, asked, token = sample[loads[operationId].company].token) => {
    const response = await send(server, restRequest(operationId, token, asked));
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      replayed: response.headers.get('idempotent-replayed'),
      located: /\/v1\/jobs\/\d+$/.test(response.headers.get('location') ?? ''),
    };
  };
}

/** What a tool answers is the same as text and as structured content, and clear about its success. */
function mcpAsker(server: ChildServer, sample: SampleData): Asker {
  return async (operationId, asked, token = sample[loads[operationId].company].token) => {
    const response = await send(server, mcpRequest(operationId, token, asked));
    const { result } = JSON.parse(await response.text());
    if (!result) return { status: response.status, body: null };
    const { content, structuredContent, isError } = result;
    const { http_status: status, response: body = null } = structuredContent;
    deepStrictEqual(JSON.parse(content[0].text), structuredContent, `${operationId} says two things`);
    strictEqual(isError, status >= 400, `${operationId} is unclear about its success`);
    return { status, body };
  };
}

/** What the protocol layer says by itself, and word for word what it says of refusals. */
async function protocolOf(server: ChildServer, { reader }: SampleData): Promise<unknown> {
  const calls: [string, unknown][] = [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }],
    ['tools/list', {}],
    ['tools/call', { name: 'get_job', arguments: { id: 999_999_999 } }],
    ['tools/call', { name: 'get_job', arguments: { id: 'one', colour: 'red' } }],
    ['tools/call', { name: 'drop_table', arguments: {} }],
  ];
  const said = calls.map(async ([method, params], id) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await send(server, { path: '/mcp', method: 'POST', headers: mcpHeaders(reader.token), body });
    return { status: response.status, body: await response.json() };
  });
  return Promise.all(said);
}
