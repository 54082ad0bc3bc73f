import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { ChildServer } from './child-server.ts';
import { mcpHeaders } from './questions.ts';
import type { SampleData } from './sample-data.ts';

interface RpcResponse {
  readonly id: number;
  readonly result?: { readonly structuredContent?: { readonly response?: unknown } };
  readonly error?: unknown;
}

/**
 * Asserts that both MCP servers do the same work: the same tools, and equal answers to the same calls and mistakes. The job that
 * `get_job` answers is that of `GET /jobs/{id}`.
 */
export async function assertSameTools(own: ChildServer, peer: ChildServer, sample: SampleData): Promise<void> {
  const [mine, others] = await Promise.all([answersOf(own, sample), answersOf(peer, sample)]);
  deepStrictEqual(others, mine, `${peer.name} does not answer as ${own.name} does`);
  const response = await fetch(`${own.base}/jobs/${sample.jobIds[0]}`, {
    headers: { authorization: `Bearer ${sample.token}` },
    signal: AbortSignal.timeout(10_000),
  });
  const read = mine.read.body.result?.structuredContent?.response;
  deepStrictEqual(read, await response.json(), 'get_job does not answer as GET /jobs/{id} does');
}

async function answersOf({ origin, name }: ChildServer, { token, jobIds }: SampleData) {
  let id = 0;
  const ask = async (method: string, params: unknown, bearer = token) => {
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: mcpHeaders(bearer),
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, body: (await response.json()) as RpcResponse };
  };
  const getJob = (given: unknown) => ask('tools/call', { name: 'get_job', arguments: given });
  const read = await getJob({ id: jobIds[0] });
  strictEqual(read.status, 200, `${name} does not answer get_job`);
  return {
    read,
    initialized: await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    }),
    tools: await ask('tools/list', {}),
    regions: await ask('tools/call', { name: 'list_regions' }),
    missing: await getJob({ id: 999_999_999 }),
    invalid: await getJob({ id: 'one', colour: 'red' }),
    unknown: await ask('tools/call', { name: 'drop_table', arguments: {} }),
    // Refused before the protocol, where the peer has an envelope of its own.
    stranger: (await ask('tools/list', {}, `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).status,
  };
}
