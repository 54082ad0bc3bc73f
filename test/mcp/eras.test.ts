import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient, modernMeta } from '../helper/mcp-client.ts';

const key = (name: string) => `io.modelcontextprotocol/${name}`;
const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const list = (_meta?: object) => request('tools/list', _meta && { _meta });
const claiming = (version: unknown) => ({ ...modernMeta, [key('protocolVersion')]: version });
const { [key('clientCapabilities')]: _, ...withoutCapabilities } = modernMeta as Record<string, unknown>;
const { [key('protocolVersion')]: __, ...withoutVersion } = modernMeta as Record<string, unknown>;
const handshake = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

type Outcome = number | 'legacy' | 'modern' | 'accepted';

/** No header, a legacy version, 2025-03-26, 2026-07-28, a later one, one that was never served, and a value that is no version. */
const versions = [undefined, '2025-11-25', '2025-03-26', '2026-07-28', '2027-01-01', '2024-11-05', 'newest'] as const;
const invalid = -32600;
const noMethod = -32601;
const params = -32602;
const mismatch = -32020;
const unsupported = -32022;

const times = (count: number, outcome: Outcome): Outcome[] => Array(count).fill(outcome);
/** The same for any version, unless the message claims another: an unserved version's needs are unknown. */
const unserved = times(3, unsupported);
const otherClaim = times(3, mismatch);
const inLegacy = times(3, 'legacy');

/** The outcome for a body by the version in its header, in the order of `versions`. */
const bodies: Readonly<Record<string, readonly [body: unknown, outcomes: readonly Outcome[]]>> = {
  'a legacy request': [list(), [...inLegacy, params, ...unserved]],
  'a modern request': [list(modernMeta), [...times(3, mismatch), 'modern', ...otherClaim]],
  'a request that claims 2025-11-25': [
    list(claiming('2025-11-25')),
    [mismatch, unsupported, mismatch, mismatch, ...otherClaim],
  ],
  'a request that claims 2027-01-01': [
    list(claiming('2027-01-01')),
    [...times(4, mismatch), unsupported, ...times(2, mismatch)],
  ],
  'a claim of 2027-01-01 without capabilities': [
    list({ ...withoutCapabilities, [key('protocolVersion')]: '2027-01-01' }),
    [...times(4, params), unsupported, ...times(2, params)],
  ],
  'a request that claims newest': [list(claiming('newest')), [...times(6, mismatch), unsupported]],
  'a request that claims a number': [list(claiming(20260728)), times(7, params)],
  'a claim without capabilities': [list(withoutCapabilities), times(7, params)],
  'capabilities without a claim': [list(withoutVersion), [...inLegacy, params, ...unserved]],
  'a handshake': [request('initialize', handshake), [...inLegacy, mismatch, ...unserved]],
  'a handshake with a complete claim': [
    request('initialize', { ...handshake, _meta: modernMeta }),
    [...times(3, mismatch), noMethod, ...otherClaim],
  ],
  'a handshake with half a claim': [
    request('initialize', { ...handshake, _meta: withoutCapabilities }),
    [...inLegacy, mismatch, ...unserved],
  ],
  'a notification': [notification, [...times(4, 'accepted'), ...unserved]],
  'a notification with a claim': [{ ...notification, params: { _meta: modernMeta } }, times(7, 'accepted')],
  'a response': [{ jsonrpc: '2.0', id: 1, result: {} }, [...times(3, 'accepted'), invalid, ...unserved]],
  'a legacy batch': [[request('ping')], ['legacy', invalid, 'legacy', invalid, ...unserved]],
  'a batch with a modern request': [[request('ping'), list(modernMeta)], times(7, invalid)],
  'no object': [7, [...times(4, invalid), ...unserved]],
};

describe('the era of an MCP request', () => {
  let client: McpClient;
  before(async () => {
    client = new McpClient(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'read'));
  });

  for (const [name, [body, outcomes]] of Object.entries(bodies))
    it(`of ${name} follows from the version in its header, and its answer has the request’s id`, async () => {
      const { method, id } = body as { method?: string; id?: number };
      for (const [n, version] of versions.entries()) {
        const sent = version === undefined ? {} : { 'MCP-Protocol-Version': version };
        const answer = await client.post(body, { ...sent, 'Mcp-Method': method ?? 'tools/list' });
        if (method && id) expect(answer.body.id).to.equal(id);
        expect(outcomeOf(answer), `${version}: ${answer.text}`).to.equal(outcomes[n]);
      }
    });

  it('an unsupported version is named, with the supported ones for that kind of request', async () => {
    const all = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'];
    for (const version of ['2099-01-01', '2024-11-05', 'newest', ''])
      for (const [body, supported] of [
        [list(), all],
        // For requests with a claim, only the modern era's versions, as server/discover lists them.
        [list(claiming(version)), ['2026-07-28']],
      ] as const) {
        const sent = { 'MCP-Protocol-Version': version, 'Mcp-Method': 'tools/list' };
        const answer = await client.post(body, sent);
        expect(answer.status).to.equal(400);
        const { message: _, ...error } = answer.body.error;
        expect(error, version).to.deep.equal({ code: unsupported, data: { supported, requested: version } });
        expect(answer.body).to.include({ jsonrpc: '2.0', id: 1 });
      }
  });
});

function outcomeOf({ status, body }: { status: number; body: unknown }): unknown {
  if (status === 202) return 'accepted';
  const [first] = Array.isArray(body) ? body : [body];
  const { error, result } = first as { error?: { code: number }; result?: { resultType?: string } };
  if (result) return result.resultType === 'complete' ? 'modern' : 'legacy';
  expect(status).to.equal(error?.code === noMethod ? 404 : 400);
  return error?.code;
}
