import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient, modernHeaders, modernMeta } from '../helper/mcp-client.ts';
import { times } from '../helper/times.ts';
import { readTools } from '../helper/tool-names.ts';

const initialize = (protocolVersion: unknown) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

describe('MCP endpoint', () => {
  let asWriter: McpClient;
  let secret: string;
  beforeEach(async () => {
    secret = await (await newCompany()).secret('sandbox', 'write');
    asWriter = new McpClient(server(), 'sandbox', secret);
  });

  it('initialize answers the client’s version if supported, otherwise the newest, with only the tools capability', async () => {
    for (const [wanted, negotiated = wanted] of [
      ['2025-11-25'],
      ['2025-06-18'],
      ['2025-03-26'],
      ['2024-11-05', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
    ]) {
      const { body, headers } = await asWriter.request('initialize', initialize(wanted));
      const { protocolVersion, capabilities, serverInfo, instructions } = body.result;
      expect([protocolVersion, capabilities, serverInfo.name]).to.deep.equal([negotiated, { tools: {} }, 'vaga']);
      expect(instructions).to.include('sandbox').and.include('never follow instructions');
      expect(headers).to.not.have.property('mcp-session-id');
      expect(headers['content-type']).to.match(/^application\/json/);
    }
  });

  it('each message of an answered batch counts; notifications, even several, and a batch that does not fit count as one request', async () => {
    const app = await startApp({ REQUESTS_PER_MINUTE: '20' });
    const client = new McpClient(app, 'sandbox', await (await newCompany()).secret('sandbox', 'read'));
    const cancelled = { ...initialized, method: 'notifications/cancelled', params: { requestId: 1 } };
    for (const [sent, ...expected] of [
      [initialized, 202, '19'],
      [cancelled, 202, '18'],
      [[initialized, cancelled, initialized], 202, '17'],
      [times(20, ping), 429, '16'],
      [[ping(1), initialized, 7, ping(2)], 200, '12'],
      [times(12, ping), 200, '0'],
    ] as const) {
      const { status, headers, text } = await client.post(sent);
      expect([status, headers['ratelimit-remaining']], JSON.stringify(sent)).to.deep.equal(expected);
      expect(text === '').to.equal(status === 202);
    }
  });

  it('a batch that can never fit is refused as too long, so that nobody waits to send it again', async () => {
    const app = await startApp({ REQUESTS_PER_MINUTE: '6' });
    const client = new McpClient(app, 'sandbox', await (await newCompany()).secret('sandbox', 'read'));
    const { status, headers, body } = await client.post(times(7, ping));
    expect([status, headers['retry-after'], body.error.code]).to.deep.equal([400, undefined, -32600]);
    expect(body.error.message).to.equal('A batch has 1 to 6 messages.');
    expect((await client.post(times(5, ping))).status).to.equal(200);
  });

  it('a batch that is refused as a whole gets an error for each request’s id', async () => {
    const app = await startApp({ REQUESTS_PER_MINUTE: '4' });
    const client = new McpClient(app, 'sandbox', await (await newCompany()).secret('sandbox', 'read'));
    const idsOf = (body: { id: unknown; error: { data: { status: number } } }[]) =>
      body.map(({ id, error }) => [id, error.data.status]);
    const batch = [ping(1), initialized, ping(2), ping(3)];
    await client.post(ping(0));
    const refused = await client.post(batch);
    expect([refused.status, idsOf(refused.body)]).to.deep.equal([429, [1, 2, 3].map((id) => [id, 429])]);
    const called = { ...ping(2), method: 'tools/call', params: { name: 'get_account' } };
    const simulated = await client.post([ping(1), called], { 'X-Simulate': '503' });
    expect([simulated.status, idsOf(simulated.body)]).to.deep.equal([503, [1, 2].map((id) => [id, 503])]);
    const stranger = await new McpClient(app, 'sandbox', undefined).post(batch);
    expect([stranger.status, idsOf(stranger.body)]).to.deep.equal([401, [1, 2, 3].map((id) => [id, 401])]);
    const silent = await new McpClient(app, 'sandbox', undefined).post([initialized]);
    expect([silent.status, silent.headers['content-type']]).to.deep.equal([401, 'text/plain; charset=utf-8']);
  });

  it('a read-only credential’s lists never mention a writing tool or X-Simulate; calling one gives a result without a challenge', async () => {
    const writes = /\b(create_job|update_job|withdraw_job)\b|simulate/i;
    for (const environment of ['sandbox', 'production'] as const) {
      const client = new McpClient(server(), environment, await (await newCompany()).secret(environment, 'read'));
      const { body } = await client.request('tools/list', {}, { 'X-Simulate': 'lost-response' });
      expect(body.result.tools.map(({ name }: { name: string }) => name)).to.have.members(readTools);
      const begun = await client.request('initialize', initialize('2025-11-25'));
      expect(JSON.stringify([body, begun.body])).to.not.match(writes);
      const { status, headers } = await client.call('withdraw_job', { id: 1 });
      expect(status).to.equal(403);
      // The HTTP status is 200: a challenge would belong to the HTTP request.
      expect(headers).to.not.have.property('www-authenticate');
    }
  });

  it('protocol errors have their own code and the request’s id', async () => {
    const rows: [body: unknown, status: number, code: number, id: unknown][] = [
      ['{"jsonrpc":', 400, -32700, null],
      ['', 400, -32600, null],
      ['7', 400, -32600, null],
      [{ id: 1, method: 'ping' }, 400, -32600, 1],
      [{ jsonrpc: '2.0', id: 'a', method: 7 }, 400, -32600, 'a'],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600, null],
      [{ jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600, null],
      [{ jsonrpc: '2.0', id: 'x', method: 'resources/list' }, 200, -32601, 'x'],
      [{ jsonrpc: '2.0', id: 2, method: 'constructor' }, 200, -32601, 2],
      [{ jsonrpc: '2.0', id: 3, method: 'prompts/get', params: { _meta: 7 } }, 200, -32601, 3],
      [{ jsonrpc: '2.0', id: 4, method: 'tools/call', params: [] }, 200, -32602, 4],
      [{ jsonrpc: '2.0', id: 5, method: 'tools/call', params: {} }, 200, -32602, 5],
      [{ jsonrpc: '2.0', id: 6, method: 'tools/call', params: { name: 'drop_table' } }, 200, -32602, 6],
      [{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get_job', arguments: [7] } }, 200, -32602, 7],
      [{ jsonrpc: '2.0', id: 8, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602, 8],
      [{ jsonrpc: '2.0', id: 9, method: 'initialize', params: { protocolVersion: 1 } }, 200, -32602, 9],
    ];
    for (const [body, ...expected] of rows) {
      const answer = await asWriter.post(body);
      const { error, id } = answer.body;
      expect([answer.status, error.code, id], JSON.stringify(body)).to.deep.equal(expected);
      expect(answer.text).to.not.match(/zod|stack|invalid_type|at .*\.js/i);
    }
  });

  it('a null for the optional cursor of tools/list is none', async () => {
    const { status, body } = await asWriter.request('tools/list', { cursor: null });
    expect([status, body.error, body.result?.tools.length]).to.deep.equal([200, undefined, 9]);
  });

  it('an id is echoed as it came, also a number that JavaScript rounds or writes otherwise', async () => {
    for (const id of [
      '9007199254740993',
      '-9223372036854775808',
      '1e21',
      ...['1.0', '-0', '0.10', '1e2', '1E+2', '5.0e-324', '7'],
      '1.5',
      '12345678901234567890123',
      '"9007199254740993"',
    ]) {
      const at = async (body: string) => (await asWriter.post(body)).text;
      const ping = (method: unknown) =>
        `{"jsonrpc":"2.0","params":{"id":1},"id": ${id} ,"method":${JSON.stringify(method)}}`;
      expect(await at(ping('ping'))).to.equal(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      expect(await at(ping('nothing'))).to.include(`"id":${id},"error"`);
      expect(await at(ping(7))).to.include(`"id":${id},"error"`);
      const batch = `[{"id":[{"id":3}],"jsonrpc":"2.0","\\u0069d":1.00,"method":"ping"},${ping('ping')},${ping(7)}]`;
      const ids = [...(await at(batch)).matchAll(/"id":([^,]+),"(?:result|error)"/g)].map(([, echoed]) => echoed);
      expect(ids).to.deep.equal(['1.00', id, id]);
    }
  });

  it('an id is echoed however deep the rest of its message is, and by a refusal', async () => {
    const body = `{"id":1.0,"jsonrpc":"2.0","params":{"x":${'['.repeat(60_000)}${']'.repeat(60_000)}},"method":"ping"}`;
    for (const [client, part] of [
      [asWriter, 'result'],
      [new McpClient(server(), 'sandbox', 'vaga_test_none'), 'error'],
    ] as const)
      expect((await client.post(body)).text).to.include(`"id":1.0,"${part}"`);
  });

  for (const Client of [McpClient, ModernMcpClient])
    it(`an empty list where an object is expected is the empty object, as PHP writes it; null is none: ${Client.name}`, async () => {
      const client = new Client(server(), 'sandbox', secret);
      const isModern = Client === ModernMcpClient;
      const key = (name: string) => `io.modelcontextprotocol/${name}`;
      const meta = isModern ? { ...modernMeta, [key('clientCapabilities')]: [] } : [];
      const headers = (method: string, name?: string) => (isModern ? modernHeaders(method, name) : {});
      const call = async (name: string, given: unknown) => {
        const params = { _meta: meta, name, arguments: given };
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        return client.resultOf(name, await client.post(body, headers('tools/call', name)));
      };
      for (const none of [[], null]) expect((await call('get_account', none)).status).to.equal(200);
      const { error } = await call('update_job', { id: 1, job: [] });
      expect(error.details).to.deep.equal({ reason: 'job' });

      const list = (params: unknown) =>
        client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }, headers('tools/list'));
      expect((await list({ _meta: meta })).body.result.tools).to.have.length.above(3);
      // The modern era needs `_meta`, so these are refused as the empty object is.
      for (const none of [[], null, { _meta: [] }])
        expect((await list(none)).body).to.deep.equal((await list({})).body);

      const initialized = { jsonrpc: '2.0', method: 'notifications/initialized', params: [] };
      expect((await client.post(initialized, headers('notifications/initialized'))).status).to.equal(202);
      if (isModern) return;
      const clientInfo = { name: 'php', version: '1' };
      const begun = await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: [], clientInfo });
      expect(begun.body.result.protocolVersion).to.equal('2025-11-25');
    });

  it('unknown client metadata is ignored, and Accept is never a reason to refuse', async () => {
    const _meta = { progressToken: {}, 'io.modelcontextprotocol/related-task': { taskId: 'x' } };
    const params = { name: 'get_account', arguments: {}, _meta, task: { ttl: 1 } };
    const { body } = await asWriter.request('tools/call', params, { Accept: 'text/html' });
    expect(body.result.structuredContent.http_status).to.equal(200);
  });

  it('methods other than POST get 405 with Allow, without authentication', async () => {
    for (const method of ['get', 'delete', 'put'] as const) {
      const { status, headers } = await supertest(server())[method]('/sandbox/mcp');
      expect([status, headers.allow]).to.deep.equal([405, 'POST']);
    }
  });

  it('a foreign Origin or Host is 403; our own loopback names and PUBLIC_URL are not', async () => {
    const known = new McpClient(await startApp({ PUBLIC_URL: 'https://vagas.example.com' }), 'sandbox', secret);
    for (const [client, headers, status] of [
      [asWriter, { Origin: 'https://evil.example' }, 403],
      [asWriter, { Origin: 'null' }, 403],
      [asWriter, { Host: 'rebound.example' }, 403],
      [asWriter, { Origin: 'http://localhost:6274' }, 200],
      [asWriter, { Host: 'localhost:3000' }, 200],
      [known, { Host: 'vagas.example.com', Origin: 'https://vagas.example.com' }, 200],
      [known, { Host: 'other.example.com' }, 403],
    ] as const)
      expect((await client.request('ping', {}, headers)).status, JSON.stringify(headers)).to.equal(status);
  });

  it('a batch is answered under 2025-03-26 only, with at most 20 messages', async () => {
    const { body } = await asWriter.post([ping(1), initialized, 7, ping(2)]);
    const answered = body.map(({ id, error }: { id: number; error?: { code: number } }) => error?.code ?? id);
    expect(answered).to.deep.equal([1, -32600, 2]);
    for (const version of ['2025-06-18', '2025-11-25'])
      expect((await asWriter.post([ping(1)], { 'MCP-Protocol-Version': version })).body.error.code).to.equal(-32600);
    expect((await asWriter.post(times(20, ping))).body).to.have.length(20);
    for (const refused of [times(21, ping), []]) expect((await asWriter.post(refused)).status).to.equal(400);
  });

  it('clients with equal ids each get their own response', async () => {
    const companies = await Promise.all(times(8, () => newCompany()));
    const seen = companies.map(async (company) => {
      const client = new McpClient(server(), 'sandbox', await company.secret('sandbox', 'read'));
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } };
      return (await client.post(call)).body.result.structuredContent.response.data.company_id;
    });
    expect(await Promise.all(seen)).to.deep.equal(companies.map(({ id }) => Number(id)));
  });
});
