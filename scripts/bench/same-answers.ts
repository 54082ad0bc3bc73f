import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Input, loads, type Measured, mcpHeaders, measured, type Protocol, requestOver } from './requests.ts';
import { type Part, rivalsOver } from './rivals.ts';
import type { SampleData } from './sample-data.ts';
import type { ChildServer } from './servers.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly data?: Readonly<Record<string, unknown>>; readonly meta?: unknown } | null;
  /** Over REST: whether it is a replay, and whether it names the new job's path. */
  readonly replayed?: string | null;
  readonly located?: boolean;
}

type Caller = (operationId: Measured, input: Input, token?: string) => Promise<Answer>;

/**
 * Asserts that the servers do the same work: over each protocol equal answers to the same requests and the same status for the same
 * mistakes, and the same job over both. The servers on this service's operations give the same MCP messages word for word.
 */
export async function assertSameAnswers(
  chosen: readonly Protocol[],
  servers: ReadonlyMap<Part | 'own', ChildServer>,
  sample: SampleData,
): Promise<void> {
  const own = servers.get('own');
  if (!own) throw new Error('the service is not running');
  // No two change the same job.
  let round = 0;
  for (const protocol of chosen) {
    const others = rivalsOver(protocol, 'getJob').flatMap((part) => servers.get(part) ?? []);
    const asked: Promise<unknown>[] = [own, ...others].map((server) =>
      answersOf(callerOf[protocol](server, sample), sample, round++),
    );
    const [mine, ...theirs] = await Promise.all(asked);
    for (const [index, answer] of theirs.entries())
      deepStrictEqual(answer, mine, `${others[index]?.name} does not answer as ${own.name} does over ${protocol}`);
  }
  const bare = servers.get('bare');
  if (bare) {
    const [list, mine] = await Promise.all([bare, own].map((server) => referenceOf(callerOf.rest(server, sample))));
    deepStrictEqual(list, mine, `${bare.name} does not answer as ${own.name} does`);
  }
  const layer = servers.get('layer');
  if (!layer) return;
  const one = { id: sample.reader.jobIds[0] ?? 0 };
  const [tool, route] = await Promise.all(
    [callerOf.mcp, callerOf.rest].map((open) => open(own, sample)('getJob', one)),
  );
  deepStrictEqual(tool?.body, route?.body, 'get_job does not answer as GET does');
  deepStrictEqual(await protocolOf(layer, sample), await protocolOf(own, sample), 'the MCP messages differ');
}

async function answersOf(call: Caller, sample: SampleData, round: number) {
  const { job, reader, writer } = sample;
  const [id = 0, withdrawn = 0] = writer.jobIds.slice(2 * round);
  const pages = [{}, { page: 1, per_page: 25 }, { page: 40, per_page: 25 }, { page: 41 }];
  const filters = [
    { status: 'active', per_page: 3 },
    { status: 'inactive', page: 2 },
  ];
  const key = randomUUID();
  const created = await call('createJob', { key, job });
  const again = await call('createJob', { key, job });
  deepStrictEqual(again.body, created.body, 'a create is not replayed');
  const elsewhere = await call('getJob', { id: Number(created.body?.data?.id) }, reader.token);
  strictEqual(elsewhere.status, 404, 'a job is shown to another company');
  const language_requirements = ['Português'];
  return {
    reference: await referenceOf(call),
    account: await call('getAccount', {}),
    read: await call('getJob', { id: reader.jobIds[0] ?? 0 }),
    lists: await Promise.all([...pages, ...filters].map((query) => call('listJobs', { query }))),
    created: withoutIdentity(created),
    replayed: [again.status, again.replayed],
    conflict: (await call('createJob', { key, job: { ...job, title: 'Outro título' } })).status,
    // An active job goes back to review.
    changes: [
      await call('updateJob', { id, job: { salary_max: 3300.25, language_requirements: null } }),
      await call('updateJob', { id, job: { title: 'Programadora', language_requirements, valid_until: null } }),
    ].map(withoutIdentity),
    // Of the tools, only our own returns the job.
    withdrawals: [
      (await call('withdrawJob', { id: withdrawn })).status,
      (await call('withdrawJob', { id: withdrawn })).status,
    ],
    mistakes: await mistakesOf(call, sample),
  };
}

async function referenceOf(call: Caller) {
  const lists = [await call('listCategories', {}), await call('listRegions', {}), await call('listOptions', {})];
  for (const { status } of lists) strictEqual(status, 200, 'a list of reference data is not answered');
  return lists;
}

/** Without the fields that differ between any two jobs. */
const withoutIdentity = ({ body, ...answer }: Answer): Answer => ({
  ...answer,
  body: body && { data: { ...body.data, id: 0, created_at: '', updated_at: '' } },
});

async function mistakesOf(call: Caller, { job, reader, writer }: SampleData): Promise<number[]> {
  const id = writer.jobIds[0] ?? 0;
  const key = randomUUID();
  const { title: _, ...untitled } = job;
  // The server has to notice an unknown name.
  const unknown = { colour: 'red' } as Input['job'];
  const queries = [{ per_page: 101 }, { status: 'lost' }, { colour: 'red' }];
  const foreign = [{ id: 999_999_999 }, { id: reader.jobIds[0] ?? 0 }];
  // As like a real one as can be.
  const unknownToken = `${writer.token.slice(0, -1)}${writer.token.endsWith('0') ? '1' : '0'}`;
  const answers = [
    ...queries.map((query) => call('listJobs', { query })),
    call('createJob', { job }),
    ...[untitled, { ...job, ...unknown }].map((wrong) => call('createJob', { key, job: wrong })),
    ...[{}, { ...unknown }].map((wrong) => call('updateJob', { id, job: wrong })),
    ...foreign.map((other) => call('getJob', other, writer.token)),
    ...foreign.map((other) => call('updateJob', { ...other, job: { title: 'Outro título' } })),
    ...foreign.map((other) => call('withdrawJob', other)),
    ...measured.map((operationId) => {
      const body = ['createJob', 'updateJob'].includes(operationId) ? { job } : {};
      return call(operationId, { id, key, ...body }, unknownToken);
    }),
  ];
  return (await Promise.all(answers)).map(({ status }) => status);
}

const send = ({ origin }: ChildServer, { path, ...init }: { path: string } & RequestInit): Promise<Response> =>
  fetch(`${origin}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });

const callerOf: Record<Protocol, (server: ChildServer, sample: SampleData) => Caller> = {
  rest:
    (server, sample) =>
    async (operationId, input, token = sample[loads[operationId].company].token) => {
      const response = await send(server, requestOver.rest(operationId, token, input));
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? null : JSON.parse(text),
        replayed: response.headers.get('idempotent-replayed'),
        located: /\/v1\/jobs\/\d+$/.test(response.headers.get('location') ?? ''),
      };
    },
  // A tool's answer is the same as text and as structured content.
  mcp:
    (server, sample) =>
    async (operationId, input, token = sample[loads[operationId].company].token) => {
      const response = await send(server, requestOver.mcp(operationId, token, input));
      const { result } = JSON.parse(await response.text());
      if (!result) return { status: response.status, body: null };
      const { content, structuredContent, isError } = result;
      const { http_status: status, response: body = null } = structuredContent;
      deepStrictEqual(JSON.parse(content[0].text), structuredContent, `${operationId} has two answers`);
      strictEqual(isError, status >= 400, `${operationId} is unclear about its success`);
      return { status, body };
    },
};

/** The messages of the protocol layer itself, and those about refusals. */
async function protocolOf(server: ChildServer, { reader }: SampleData): Promise<unknown> {
  const calls: [string, unknown][] = [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }],
    ['tools/list', {}],
    ['tools/call', { name: 'get_job', arguments: { id: 999_999_999 } }],
    ['tools/call', { name: 'get_job', arguments: { id: 'one', colour: 'red' } }],
    ['tools/call', { name: 'drop_table', arguments: {} }],
  ];
  const answers = calls.map(async ([method, params], id) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await send(server, { path: '/mcp', method: 'POST', headers: mcpHeaders(reader.token), body });
    return { status: response.status, body: await response.json() };
  });
  return Promise.all(answers);
}
