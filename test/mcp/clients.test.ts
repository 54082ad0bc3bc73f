import {
  type ClientOptions,
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { tools } from '../../src/contract/tools.ts';
import { addressOf } from '../helper/address.ts';
import { newCompany, server } from '../helper/fixtures.ts';
import { connectClient } from '../helper/mcp-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const url = (): string => `${addressOf(server())}/sandbox/mcp`;

/** Connects the official client of the modern era and returns the requests that it has sent so far. */
async function connectNew(mode: 'legacy' | 'auto' | { pin: string }, secret: string) {
  const posted: (string | null)[] = [];
  const transport = new NewTransport(new URL(url()), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    fetch: async (to, init) => {
      const response = await fetch(to, init);
      // A GET is 405 and is not counted.
      if (response.ok) posted.push(new Headers(init?.headers).get('mcp-method'));
      return response;
    },
  });
  const options: ClientOptions = { versionNegotiation: { mode } };
  const client = new NewClient({ name: 'test', version: '1.0.0' }, options);
  await client.connect(transport);
  return { client, posted };
}

interface Connected {
  listTools(): Promise<{ tools: unknown[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

async function createsAndWithdraws(client: Connected): Promise<void> {
  const call = async (name: string, given: Record<string, unknown>) =>
    ((await client.callTool({ name, arguments: given })) as { structuredContent: unknown }).structuredContent as {
      http_status: number;
      response: { data: { id: number; title: string } };
    };
  expect((await client.listTools()).tools).to.have.length(tools.length);
  const idempotency_key = freshKey();
  // Several clients send an object as JSON text.
  const created = await call('create_job', { idempotency_key, job: JSON.stringify(minimalJob) });
  expect(created.http_status).to.equal(201);
  const { id } = created.response.data;
  expect(await call('create_job', { idempotency_key, job: minimalJob })).to.deep.include({ http_status: 200 });
  expect(await call('get_job', { id: String(id) }), 'a scalar is not parsed').to.deep.include({ http_status: 422 });
  expect((await call('update_job', { id, job: { title: 'Pintor' } })).response.data.title).to.equal('Pintor');
  for (const time of ['once', 'again']) {
    const withdrawn = await call('withdraw_job', { id });
    expect(withdrawn, time).to.deep.equal({ ...(await call('get_job', { id })), http_status: 204 });
    expect(withdrawn, time).to.include({ idempotency_key });
    expect(withdrawn.response.data, time).to.include({ id, title: 'Pintor', status: 'inactive', is_active: false });
  }
  await client.close();
}

describe('the official client', () => {
  for (const [name, mode, version] of [
    ['legacy', 'legacy', '2025-11-25'],
    ['auto', 'auto', '2026-07-28'],
    ['pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28'],
  ] as const)
    it(`of the modern era, ${name}: connects with ${version}, lists, creates, replays, changes, withdraws`, async () => {
      const { client } = await connectNew(mode, await (await newCompany()).secret('sandbox', 'write'));
      expect(client.getNegotiatedProtocolVersion()).to.equal(version);
      expect(client.getServerVersion()).to.include({ name: 'vaga', version: '1.0.0' });
      await createsAndWithdraws(client);
    });

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26'])
    it(`${version}: connects, lists, creates, replays, changes, withdraws`, async () => {
      await createsAndWithdraws(
        await connectClient(url(), await (await newCompany()).secret('sandbox', 'write'), version),
      );
    });

  it('auto: connecting, listing the tools twice and one call take three requests', async () => {
    const { client, posted } = await connectNew('auto', await (await newCompany()).secret('sandbox', 'read'));
    await client.listTools();
    await client.listTools();
    await client.callTool({ name: 'get_account', arguments: {} });
    expect(posted).to.deep.equal(['server/discover', 'tools/list', 'tools/call']);
    await client.close();
  });
});
