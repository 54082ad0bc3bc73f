import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** The SDK's client as it was when `version` was its newest. */
async function connectAs(version: string, secret: string): Promise<Client> {
  const { port } = server().address() as AddressInfo;
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/sandbox/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    fetch: (url, init) => {
      const body =
        typeof init?.body === 'string'
          ? init.body.replace(/"protocolVersion":"[^"]+"/, `"protocolVersion":"${version}"`)
          : null;
      return fetch(url, { ...init, ...(body === null ? {} : { body }) });
    },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport as Transport);
  expect(transport.protocolVersion).to.equal(version);
  return client;
}

describe('the official client', () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    it(`${version}: connects, lists, creates, replays, changes, withdraws`, async () => {
      const secret = await (await newCompany()).secret('sandbox', 'write');
      const client = await connectAs(version, secret);
      expect((await client.listTools()).tools).to.have.length(9);
      const call = async (name: string, given: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: given })).structuredContent as {
          http_status: number;
          response: { data: { id: number; title: string } };
        };
      const idempotency_key = freshKey();
      const created = await call('create_job', { idempotency_key, job: minimalJob });
      expect(created.http_status).to.equal(201);
      const { id } = created.response.data;
      expect(await call('create_job', { idempotency_key, job: minimalJob })).to.deep.include({ http_status: 200 });
      expect((await call('update_job', { id, job: { title: 'Pintor' } })).response.data.title).to.equal('Pintor');
      expect(await call('withdraw_job', { id })).to.deep.equal({
        environment: 'sandbox',
        http_status: 204,
        response: null,
      });
      await client.close();
    });
  }

  it('accepts every refusal against the output schema', async () => {
    const client = await connectClient(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'write'));
    await client.listTools();
    const refused: [name: string, given: Record<string, unknown>, status: number][] = [
      ['get_job', { id: 999_999 }, 404],
      ['get_job', { id: 'abc' }, 422],
      ['list_jobs', { page: 0 }, 422],
      ['create_job', { idempotency_key: 'k', job: { ...minimalJob, title: 7 } }, 422],
      ['withdraw_job', {}, 422],
    ];
    for (const [name, given, status] of refused) {
      const result = await client.callTool({ name, arguments: given });
      expect(result.isError).to.equal(true);
      expect(result.structuredContent).to.deep.include({ http_status: status });
    }
    await client.close();
  });

  it('a job sent as JSON text is parsed', async () => {
    const client = await connectClient(server(), 'sandbox', await (await newCompany()).secret('sandbox', 'write'));
    const result = await client.callTool({
      name: 'create_job',
      arguments: { idempotency_key: 'text', job: JSON.stringify(minimalJob) },
    });
    expect(result.structuredContent).to.deep.include({ http_status: 201 });
    const again = await client.callTool({
      name: 'create_job',
      arguments: { idempotency_key: 'text', job: minimalJob },
    });
    expect(again.structuredContent).to.deep.include({ http_status: 200 });
    const scalar = await client.callTool({ name: 'get_job', arguments: { id: '1' } });
    expect(scalar.structuredContent).to.deep.include({ http_status: 422 });
    await client.close();
  });
});
