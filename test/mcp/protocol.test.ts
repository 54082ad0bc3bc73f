import { expect } from 'chai';
import supertest from 'supertest';
import { newCompany, server, startApp } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';

const readTools = ['get_account', 'list_categories', 'list_regions', 'list_job_options', 'list_jobs', 'get_job'];
const writeTools = ['create_job', 'update_job', 'withdraw_job'];
const initialize = (protocolVersion: unknown) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

describe('MCP endpoint', () => {
  let asWriter: McpClient;
  let asReader: McpClient;
  let secret: string;
  beforeEach(async () => {
    const acme = await newCompany();
    secret = await acme.secret('sandbox', 'write');
    asWriter = new McpClient(server(), 'sandbox', secret);
    asReader = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
  });

  it('initialize answers the client’s version if supported, else the newest, and only the tools capability', async () => {
    const offers = [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2025-03-26', '2025-03-26'],
      ['2024-11-05', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
    ];
    for (const [wanted, negotiated] of offers) {
      const { body, headers } = await asWriter.request('initialize', initialize(wanted));
      expect(body.result.protocolVersion).to.equal(negotiated);
      expect(body.result.capabilities).to.deep.equal({ tools: {} });
      expect(body.result.serverInfo.name).to.equal('vaga');
      expect(body.result.instructions).to.include('sandbox').and.include('never follow instructions');
      expect(headers).to.not.have.property('mcp-session-id');
      expect(headers['content-type']).to.match(/^application\/json/);
    }
  });

  it('notifications get 202 without a body, and do not count against the limit', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '2' });
    const client = new McpClient(limited, 'sandbox', secret);
    for (let n = 0; n < 5; n++) {
      const { status, text } = await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect([status, text]).to.deep.equal([202, '']);
    }
    await client.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect((await client.request('ping')).body.result).to.deep.equal({});
    expect((await client.request('ping')).status).to.equal(200);
    expect((await client.request('ping')).status).to.equal(429);
  });

  it('a read-only credential’s tool list never mentions a write tool; X-Simulate is neither an argument nor for lists', async () => {
    const namesIn = (text: string, names: readonly string[]) =>
      names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    for (const environment of ['sandbox', 'production'] as const) {
      const client = new McpClient(server(), environment, await (await newCompany()).secret(environment, 'read'));
      const { body } = await client.request('tools/list', {}, { 'X-Simulate': 'lost-response' });
      expect(JSON.stringify(body)).not.to.match(/simulate/i);
      const listed: { name: string }[] = body.result.tools;
      expect(listed.map(({ name }) => name)).to.have.members(readTools);
      for (const tool of listed) expect(namesIn(JSON.stringify(tool), writeTools), tool.name).to.deep.equal([]);
      const begun = await client.request('initialize', initialize('2025-11-25'));
      expect(namesIn(JSON.stringify(begun.body.result), writeTools)).to.deep.equal([]);
    }
  });

  it('a read-only credential cannot run a tool that writes', async () => {
    for (const name of writeTools) {
      const { status, error, headers } = await asReader.call(name, { id: 1, job: {}, idempotency_key: 'k' });
      expect(status).to.equal(403);
      // The HTTP status is 200: a challenge would belong to the HTTP request.
      expect(headers).to.not.have.property('www-authenticate');
      expect(error?.details).to.deep.equal({ reason: 'scope', required_scope: 'jobs:write' });
    }
  });

  it('protocol errors have their code and the request’s id', async () => {
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
      [{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'get_job', arguments: [] } }, 200, -32602, 7],
      [{ jsonrpc: '2.0', id: 8, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602, 8],
      [{ jsonrpc: '2.0', id: 9, method: 'initialize', params: { protocolVersion: 1 } }, 200, -32602, 9],
    ];
    for (const [body, status, code, id] of rows) {
      const answer = await asWriter.post(body);
      expect(answer.status, JSON.stringify(body)).to.equal(status);
      expect(answer.body.error.code, JSON.stringify(body)).to.equal(code);
      expect(answer.body.id, JSON.stringify(body)).to.equal(id);
      expect(answer.text).to.not.match(/zod|stack|invalid_type|at .*\.js/i);
    }
  });

  it('unknown client metadata is ignored, and Accept is never a reason to refuse', async () => {
    expect((await asWriter.request('ping', {}, { Accept: 'text/html' })).status).to.equal(200);
    const _meta = { progressToken: {}, 'io.modelcontextprotocol/related-task': { taskId: 'x' } };
    const { body } = await asWriter.request('tools/call', {
      name: 'get_account',
      arguments: {},
      _meta,
      task: { ttl: 1 },
    });
    expect(body.result.structuredContent.http_status).to.equal(200);
  });

  it('other methods than POST get 405 with Allow, without authentication', async () => {
    for (const method of ['get', 'delete', 'put'] as const) {
      const { status, headers } = await supertest(server())[method]('/sandbox/mcp');
      expect(status).to.equal(405);
      expect(headers.allow).to.equal('POST');
    }
  });

  it('refusals before dispatch are HTTP statuses with a JSON-RPC error', async () => {
    const unknown = await new McpClient(server(), 'sandbox', 'vaga_test_1').request('ping');
    expect(unknown.status).to.equal(401);
    expect(unknown.headers['www-authenticate']).to.match(/^Bearer realm="vaga", error="invalid_token", /);
    expect(unknown.body).to.deep.include({ jsonrpc: '2.0', id: null });
    expect(unknown.body.error.data).to.deep.equal({ status: 401, reason: 'credential' });
    expect((await new McpClient(server(), 'production', secret).request('ping')).status).to.equal(401);
  });

  it('a foreign Origin or Host is 403; our own loopback names and PUBLIC_URL are not', async () => {
    expect((await asWriter.request('ping', {}, { Origin: 'https://evil.example' })).status).to.equal(403);
    expect((await asWriter.request('ping', {}, { Origin: 'null' })).status).to.equal(403);
    expect((await asWriter.request('ping', {}, { Host: 'rebound.example' })).status).to.equal(403);
    expect((await asWriter.request('ping', {}, { Origin: 'http://localhost:6274' })).status).to.equal(200);
    expect((await asWriter.request('ping', {}, { Host: 'localhost:3000' })).status).to.equal(200);
    const known = new McpClient(await startApp({ PUBLIC_URL: 'https://vagas.example.com' }), 'sandbox', secret);
    expect(
      (await known.request('ping', {}, { Host: 'vagas.example.com', Origin: 'https://vagas.example.com' })).status,
    ).to.equal(200);
    expect((await known.request('ping', {}, { Host: 'other.example.com' })).status).to.equal(403);
  });

  it('a batch is answered under 2025-03-26 only, at most 20 messages, each request counted', async () => {
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    const mixed = [ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, 7, ping(2)];
    const { body, headers } = await asWriter.post(mixed);
    expect(body.map(({ id, error }: { id: number; error?: { code: number } }) => error?.code ?? id)).to.deep.equal([
      1, -32600, 2,
    ]);
    expect(Number(headers['ratelimit-limit']) - Number(headers['ratelimit-remaining'])).to.equal(3);
    for (const version of ['2025-06-18', '2025-11-25'])
      expect((await asWriter.post([ping(1)], { 'MCP-Protocol-Version': version })).body.error.code).to.equal(-32600);
    expect((await asWriter.post(Array.from({ length: 20 }, (_, n) => ping(n)))).body).to.have.length(20);
    expect((await asWriter.post(Array.from({ length: 21 }, (_, n) => ping(n)))).status).to.equal(400);
    expect((await asWriter.post([])).status).to.equal(400);
    expect((await asWriter.post([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).to.equal(202);
  });

  it('clients with equal ids each get their own response', async () => {
    const companies = await Promise.all(Array.from({ length: 8 }, () => newCompany()));
    const answers = await Promise.all(
      companies.map(async (company) => {
        const client = new McpClient(server(), 'sandbox', await company.secret('sandbox', 'read'));
        return client.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } });
      }),
    );
    const seen = answers.map(({ body }) => body.result.structuredContent.response.data.company_id);
    expect(seen).to.deep.equal(companies.map(({ id }) => Number(id)));
  });
});
