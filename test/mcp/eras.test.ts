import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient, modernHeaders, modernMeta } from '../helper/mcp-client.ts';

const key = (name: string) => `io.modelcontextprotocol/${name}`;
const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const claiming = (version: unknown) => ({ ...modernMeta, [key('protocolVersion')]: version });
const { [key('clientCapabilities')]: _, ...withoutCapabilities } = modernMeta as Record<string, unknown>;
const { [key('protocolVersion')]: __, ...withoutVersion } = modernMeta as Record<string, unknown>;
const handshake = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

const bodies = {
  'a legacy request': request('tools/list'),
  'a modern request': request('tools/list', { _meta: modernMeta }),
  'a request that claims 2025-11-25': request('tools/list', { _meta: claiming('2025-11-25') }),
  'a request that claims 2027-01-01': request('tools/list', { _meta: claiming('2027-01-01') }),
  'a claim of 2027-01-01 without capabilities': request('tools/list', {
    _meta: { ...withoutCapabilities, [key('protocolVersion')]: '2027-01-01' },
  }),
  'a request that claims newest': request('tools/list', { _meta: claiming('newest') }),
  'a request that claims a number': request('tools/list', { _meta: claiming(20260728) }),
  'a claim without capabilities': request('tools/list', { _meta: withoutCapabilities }),
  'capabilities without a claim': request('tools/list', { _meta: withoutVersion }),
  'a handshake': request('initialize', handshake),
  'a handshake with a complete claim': request('initialize', { ...handshake, _meta: modernMeta }),
  'a handshake with half a claim': request('initialize', { ...handshake, _meta: withoutCapabilities }),
  'a notification': notification,
  'a notification with a claim': { ...notification, params: { _meta: modernMeta } },
  'a response': { jsonrpc: '2.0', id: 1, result: {} },
  'a legacy batch': [request('ping')],
  'a batch with a modern request': [request('ping'), request('tools/list', { _meta: modernMeta })],
  'no object': 7,
} as const;

type Outcome = number | 'legacy' | 'modern' | 'accepted';

/** By the header: none, a legacy version, 2025-03-26, 2026-07-28, a later one, one that was never served, and no version at all. */
const headers = [undefined, '2025-11-25', '2025-03-26', '2026-07-28', '2027-01-01', '2024-11-05', 'newest'] as const;
const invalid = -32600;
const params = -32602;
const mismatch = -32020;
const unsupported = -32022;

/** Whatever it is, unless it claims another version: nobody knows what a version that is not served needs. */
const unserved = [unsupported, unsupported, unsupported] as const;
const otherClaim = [mismatch, mismatch, mismatch] as const;

const outcomes: Readonly<Record<keyof typeof bodies, readonly Outcome[]>> = {
  'a legacy request': ['legacy', 'legacy', 'legacy', params, ...unserved],
  'a modern request': [mismatch, mismatch, mismatch, 'modern', ...otherClaim],
  'a request that claims 2025-11-25': [mismatch, unsupported, mismatch, mismatch, ...otherClaim],
  'a request that claims 2027-01-01': [mismatch, mismatch, mismatch, mismatch, unsupported, mismatch, mismatch],
  'a claim of 2027-01-01 without capabilities': [params, params, params, params, unsupported, params, params],
  'a request that claims newest': [mismatch, mismatch, mismatch, mismatch, mismatch, mismatch, unsupported],
  'a request that claims a number': [params, params, params, params, params, params, params],
  'a claim without capabilities': [params, params, params, params, params, params, params],
  'capabilities without a claim': ['legacy', 'legacy', 'legacy', params, ...unserved],
  'a handshake': ['legacy', 'legacy', 'legacy', mismatch, ...unserved],
  'a handshake with a complete claim': [mismatch, mismatch, mismatch, -32601, ...otherClaim],
  'a handshake with half a claim': ['legacy', 'legacy', 'legacy', mismatch, ...unserved],
  'a notification': ['accepted', 'accepted', 'accepted', 'accepted', ...unserved],
  'a notification with a claim': ['accepted', 'accepted', 'accepted', 'accepted', 'accepted', 'accepted', 'accepted'],
  'a response': ['accepted', 'accepted', 'accepted', invalid, ...unserved],
  'a legacy batch': ['legacy', invalid, 'legacy', invalid, ...unserved],
  'a batch with a modern request': [invalid, invalid, invalid, invalid, invalid, invalid, invalid],
  'no object': [invalid, invalid, invalid, invalid, ...unserved],
};

describe('the era of an MCP request', () => {
  let client: McpClient;
  beforeEach(async () => {
    client = new McpClient(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'read'));
  });

  for (const [name, body] of Object.entries(bodies))
    for (const [n, version] of headers.entries()) {
      const outcome = outcomes[name as keyof typeof bodies][n];
      it(`${name} with the header ${version ?? 'absent'}: ${outcome}`, async () => {
        const { method = 'tools/list' } = body as { method?: string };
        const sent = version === undefined ? {} : { 'MCP-Protocol-Version': version };
        const answer = await client.post(body, { ...sent, 'Mcp-Method': method });
        expect(outcomeOf(answer), answer.text).to.equal(outcome);
      });
    }

  for (const version of ['2099-01-01', '2024-11-05', 'newest', ''])
    it(`an unsupported version "${version}" is named beside those that the request could name`, async () => {
      const sent = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' };
      const refused = { code: unsupported, message: 'Unsupported protocol version' };
      const all = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
      const plain = await client.post(request('tools/list'), sent);
      expect(plain.status).to.equal(400);
      const data = { supported: all, requested: version };
      expect(plain.body).to.deep.equal({ jsonrpc: '2.0', id: 1, error: { ...refused, data } });
      // Of requests with a claim only the modern era's, as server/discover lists them.
      const claimed = await client.post(request('tools/list', { _meta: claiming(version) }), sent);
      expect(claimed.status).to.equal(400);
      expect(claimed.body.error).to.deep.equal({ ...refused, data: { ...data, supported: ['2026-07-28'] } });
    });

  it('initialize never negotiates 2026-07-28', async () => {
    const { body } = await client.request('initialize', handshake);
    expect(body.result.protocolVersion).to.equal('2025-11-25');
  });

  it('an error has the id of its request in both eras, whatever refused it', async () => {
    const rows: [body: object, headers: Record<string, string>][] = [
      [request('ping'), { 'MCP-Protocol-Version': '2024-11-05' }],
      [request('tools/list', { _meta: modernMeta }), {}],
      [request('tools/list', { _meta: claiming('2027-01-01') }), { 'MCP-Protocol-Version': '2027-01-01' }],
      [request('ping', { _meta: modernMeta }), modernHeaders('ping')],
      [{ ...request('tools/list', { _meta: modernMeta }), jsonrpc: '1.0' }, modernHeaders('tools/list')],
    ];
    for (const [body, sent] of rows) expect((await client.post(body, sent)).body.id, JSON.stringify(body)).to.equal(1);
  });
});

function outcomeOf({ status, body }: { status: number; body: unknown }): unknown {
  if (status === 202) return 'accepted';
  const [first] = Array.isArray(body) ? body : [body];
  const { error, result } = first as { error?: { code: number }; result?: { resultType?: string } };
  if (result) return result.resultType === 'complete' ? 'modern' : 'legacy';
  expect(status).to.equal(error?.code === -32601 ? 404 : 400);
  return error?.code;
}
