import {
  type ClientOptions,
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect } from 'chai';
import { portOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** The SDK's client as it was when `version` was its newest. */
async function connectAs(version: string, secret: string): Promise<Client> {
  const port = portOf(server());
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

/** Connects the official client of the modern era and returns the requests that it has sent so far. */
async function connectNew(mode: 'legacy' | 'auto' | { pin: string }, secret: string) {
  const port = portOf(server());
  const posted: (string | null)[] = [];
  const transport = new NewTransport(new URL(`http://127.0.0.1:${port}/sandbox/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      // Notifications get 202 and are free; a GET is 405 and is not counted.
      if (response.status === 200) posted.push(new Headers(init?.headers).get('mcp-method'));
      return response;
    },
  });
  const options: ClientOptions = { versionNegotiation: { mode } };
  const client = new NewClient({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  return { client, posted };
}

describe('the official client of the modern era', () => {
  for (const [name, mode, version] of [
    ['legacy', 'legacy', '2025-11-25'],
    ['auto', 'auto', '2026-07-28'],
    ['pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28'],
  ] as const)
    it(`${name}: connects with ${version}, lists, creates, replays, changes, withdraws`, async () => {
      const { client } = await connectNew(mode, await (await newCompany()).secret('sandbox', 'write'));
      expect(client.getNegotiatedProtocolVersion()).to.equal(version);
      expect(client.getServerVersion()).to.include({ name: 'vaga', version: '1.0.0' });
      expect((await client.listTools()).tools).to.have.length(9);
      await createsAndWithdraws((name, given) => client.callTool({ name, arguments: given }));
      await client.close();
    });

  it('auto: connecting, listing twice and one call are three requests', async () => {
    const { client, posted } = await connectNew('auto', await (await newCompany()).secret('sandbox', 'read'));
    await client.listTools();
    await client.listTools();
    await client.callTool({ name: 'get_account', arguments: {} });
    expect(posted).to.deep.equal(['server/discover', 'tools/list', 'tools/call']);
    await client.close();
  });
});

type CallTool = (name: string, given: Record<string, unknown>) => Promise<object>;

async function createsAndWithdraws(callTool: CallTool): Promise<void> {
  const call = async (name: string, given: Record<string, unknown>) =>
    ((await callTool(name, given)) as { structuredContent: unknown }).structuredContent as {
      http_status: number;
      response: { data: { id: number; title: string } };
    };
  const idempotency_key = freshKey();
  const created = await call('create_job', { idempotency_key, job: minimalJob });
  expect(created.http_status).to.equal(201);
  const { id } = created.response.data;
  expect(await call('create_job', { idempotency_key, job: minimalJob })).to.deep.include({ http_status: 200 });
  expect((await call('update_job', { id, job: { title: 'Pintor' } })).response.data.title).to.equal('Pintor');
  for (const time of ['once', 'again']) {
    const withdrawn = await call('withdraw_job', { id });
    const { etag: _, ...read } = (await call('get_job', { id })) as { etag?: string } & typeof withdrawn;
    expect(withdrawn, time).to.deep.equal({ ...read, http_status: 204 });
    expect(withdrawn.response.data, time).to.include({ id, title: 'Pintor', status: 'inactive', is_active: false });
  }
}

describe('the official client', () => {
  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    it(`${version}: connects, lists, creates, replays, changes, withdraws`, async () => {
      const secret = await (await newCompany()).secret('sandbox', 'write');
      const client = await connectAs(version, secret);
      expect((await client.listTools()).tools).to.have.length(9);
      await createsAndWithdraws((name, given) => client.callTool({ name, arguments: given }));
      await client.close();
    });
  }

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
