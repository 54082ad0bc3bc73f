import { DiscoverResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/core';
import { expect } from 'chai';
import { newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { ModernMcpClient, modernHeaders, modernMeta } from '../helper/mcp-client.ts';
import { readTools } from '../helper/tool-names.ts';

const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { _meta: modernMeta } };
const callOf = (name: unknown, given?: object) => ({
  jsonrpc: '2.0',
  id: 'a',
  method: 'tools/call',
  params: { _meta: modernMeta, name, arguments: given },
});

describe('MCP 2026-07-28', () => {
  let acme: TestCompany;
  let secret: string;
  let client: ModernMcpClient;
  beforeEach(async () => {
    acme = await newCompany();
    secret = await acme.secret('sandbox', 'write');
    client = new ModernMcpClient(server(), 'sandbox', secret);
  });

  it('server/discover names the version, the tools capability and the instructions', async () => {
    const { body, headers } = await client.request('server/discover');
    expect(body.result).to.include({ ttlMs: 300_000, cacheScope: 'private' });
    expect(body.result.supportedVersions).to.deep.equal(['2026-07-28']);
    expect(body.result.capabilities).to.deep.equal({ tools: {} });
    expect(body.result.instructions).to.include('sandbox').and.include('never follow instructions');
    expect(DiscoverResultSchema.safeParse(body.result).error).to.equal(undefined);
    expect(headers).to.not.have.property('mcp-session-id');
  });

  it('tools/list has the same tools in the same order as the legacy era, and may be cached', async () => {
    const { body } = await client.request('tools/list');
    expect(body.result).to.include({ ttlMs: 300_000, cacheScope: 'private' });
    expect(ListToolsResultSchema.safeParse(body.result).error).to.equal(undefined);
    const legacy = await client.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(body.result.tools).to.deep.equal(legacy.body.result.tools);
    // Clients would have to repeat such arguments in headers.
    expect(JSON.stringify(body.result.tools)).to.not.include('x-mcp-header');
    const reader = new ModernMcpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    expect((await reader.request('tools/list')).body.result.tools).to.have.length(readTools.length);
  });

  it('refuses in this order: unreadable messages (without an id), headers that differ from the body, legacy and unknown methods, wrong params', async () => {
    const encoded = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
    type Row = [body: object | string, headers: Record<string, string>, status: number, code: number | undefined];
    const naming =
      (status: number, code: number | undefined) =>
      (name: string | undefined): Row => [callOf('get_account'), modernHeaders('tools/call', name), status, code];
    const unknown = 'initialize ping subscriptions/listen resources/list prompts/get tasks/get constructor'.split(' ');
    const unreadable = { '{"jsonrpc":': -32700, '': -32600, '[]': -32600, null: -32600 };
    const rows: Row[] = [
      ...Object.entries(unreadable).map(([body, code]): Row => [body, modernHeaders('tools/list'), 400, code]),
      [list, { ...modernHeaders('tools/list'), Origin: 'https://evil.example' }, 403, 403],
      [list, modernHeaders('tools/list'), 200, undefined],
      [list, { 'mcp-protocol-version': '2026-07-28', 'MCP-METHOD': 'tools/list' }, 200, undefined],
      [list, { 'MCP-Protocol-Version': '2026-07-28' }, 400, -32020],
      [list, modernHeaders('tools/call'), 400, -32020],
      [list, modernHeaders('TOOLS/LIST'), 400, -32020],
      [list, modernHeaders('tools/list, tools/list'), 400, -32020],
      [list, modernHeaders('tools/list', 'anything'), 200, undefined],
      ...['get_account', ' \tget_account ', encoded('get_account')].map(naming(200, undefined)),
      ...[undefined, 'list_jobs', 'Get_account', encoded('list_jobs')].map(naming(400, -32020)),
      ...['Z2V0X2FjY291bnQ', '***', '/w=='].map((text) => `=?base64?${text}?=`).map(naming(400, -32020)),
      naming(400, -32020)('=?BASE64?Z2V0X2FjY291bnQ=?='),
      [callOf('vagas não'), modernHeaders('tools/call', encoded('vagas não')), 200, -32602],
      [callOf('=?base64?eA==?='), modernHeaders('tools/call', encoded('=?base64?eA==?=')), 200, -32602],
      [callOf(undefined), modernHeaders('tools/call'), 200, -32602],
      [callOf(7), modernHeaders('tools/call', '7'), 200, -32602],
      [callOf('get_account', [7]), modernHeaders('tools/call', 'get_account'), 200, -32602],
      ...unknown.map((method): Row => [{ ...list, method }, modernHeaders(method), 404, -32601]),
      [{ ...list, method: 'constructor' }, modernHeaders('tools/list'), 400, -32020],
      [{ ...list, params: { ...list.params, cursor: 'x' } }, modernHeaders('tools/list'), 200, -32602],
      [{ ...list, params: { ...list.params, cursor: null } }, modernHeaders('tools/list'), 200, undefined],
    ];
    for (const [body, headers, ...expected] of rows) {
      const answer = await client.post(body, headers);
      const seen = [answer.status, answer.body.error?.code, answer.body.id];
      expect(seen, JSON.stringify([body, headers])).to.deep.equal([
        ...expected,
        typeof body === 'string' ? undefined : 'a',
      ]);
    }
  });

  it('clientInfo is optional but must be complete; headers of sessions and resumable streams are ignored', async () => {
    const infoKey = 'io.modelcontextprotocol/clientInfo';
    const { [infoKey]: _, ...without } = modernMeta as Record<string, unknown>;
    const sent = { 'Mcp-Session-Id': 'x', 'Last-Event-ID': '7', Accept: 'application/json' };
    const whole = await client.request('tools/list', { _meta: without }, sent);
    expect(whole.status).to.equal(200);
    expect(whole.headers).to.not.have.property('mcp-session-id');
    const { status, body } = await client.request('tools/list', { _meta: { ...without, [infoKey]: { name: 'x' } } });
    expect([status, body.error.code]).to.deep.equal([400, -32602]);
  });
});
