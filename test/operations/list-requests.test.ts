import { expect } from 'chai';
import { listRequests, requestsPerMinute } from '../../src/operations/access-log/list-requests.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient, modernMeta } from '../helper/mcp-client.ts';
import { newUser, PageClient, textOf } from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const sandboxOf = ({ id }: TestCompany) => ({ companyId: id, environment: 'sandbox' }) as const;

/** A company with some calls over both protocols, all of them logged. */
async function busyCompany() {
  const acme = await newCompany();
  const { server, settle } = await startWholeApp();
  const [asWriter, asReader] = [await acme.writer('sandbox', server), await acme.reader('sandbox', server)];
  const created = await asWriter.create(minimalJob);
  await asReader.get('/jobs?status=active');
  await asReader.get('/jobs/1000000');
  await asReader.create(minimalJob);
  await asReader.get('/nowhere');
  const asAgent = new McpClient(server, 'sandbox', await acme.secret('sandbox', 'read'));
  await asAgent.request('tools/list');
  await asAgent.call('get_job', { id: 1_000_000 });
  await settle();
  return { acme, created };
}

describe('listRequests', () => {
  it('lists every request of the company, newest first: protocol, operation, status and reason, credential, time and request id', async () => {
    const { acme, created } = await busyCompany();
    const { items: requests, next } = await listRequests(actionContext(), sandboxOf(acme));
    expect(requests.map((row) => `${row.protocol} ${row.operation} ${row.status} ${row.reason}`)).to.deep.equal([
      'mcp getJob 404 job',
      'mcp null 200 null',
      'rest null 404 path',
      'rest createJob 403 scope',
      'rest getJob 404 job',
      'rest listJobs 200 null',
      'rest createJob 201 null',
    ]);
    expect(next).to.equal(null);
    const first = requests.at(-1);
    expect(first?.requestId).to.equal(created.headers['x-request-id']);
    expect(first?.credentialLabel).to.equal('test');
    expect(first?.latencyMs).to.be.within(0, 60_000);
    expect(Math.abs(Number(first?.at) - clock.now().getTime())).to.be.below(60_000);
  });

  it('filters by status or class of status, operation, credential and protocol', async () => {
    const { acme } = await busyCompany();
    const { items: requests } = await listRequests(actionContext(), sandboxOf(acme));
    const count = async (filter: object) =>
      (await listRequests(actionContext(), { ...sandboxOf(acme), ...filter })).items.length;
    expect(await count({ status: '4xx' })).to.equal(4);
    expect(await count({ status: '404' })).to.equal(3);
    expect(await count({ status: '500' })).to.equal(0);
    expect(await count({ operation: 'createJob' })).to.equal(2);
    expect(await count({ protocol: 'mcp' })).to.equal(2);
    expect(await count({ protocol: 'rest', status: '404', operation: 'getJob' })).to.equal(1);
    const credentialId = Number(requests.at(-1)?.credentialId);
    expect(await count({ credentialId })).to.equal(1);
    for (const status of ['6xx', '40', 'x', '4xx or true'])
      expect(await expectRefused('invalid_input', () => count({ status }))).to.match(/status/);
  });

  it('finds a request by its id or trace id, and lists the oldest first', async () => {
    const { acme, created } = await busyCompany();
    const list = async (input: object) =>
      (await listRequests(actionContext(), { ...sandboxOf(acme), ...input })).items.map(({ requestId }) => requestId);
    const newest = await list({});
    const requestId = created.headers['x-request-id'];
    expect(await list({ text: requestId })).to.deep.equal([requestId]);
    expect(await list({ text: 'nothing' })).to.deep.equal([]);
    expect(await list({ sort: 'oldest' })).to.deep.equal(newest.toReversed());
  });

  it('pages have no gaps while new requests arrive', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const asReader = await acme.reader('sandbox', server);
    const sent: string[] = [];
    for (let n = 0; n < 53; n++) sent.unshift((await asReader.get('/account')).headers['x-request-id'] ?? '');
    await settle();
    const first = await listRequests(actionContext(), sandboxOf(acme));
    expect(first.items).to.have.length(50);
    await asReader.get('/account');
    await settle();
    const second = await listRequests(actionContext(), { ...sandboxOf(acme), before: first.next ?? 0n });
    expect([...first.items, ...second.items].map(({ requestId }) => requestId)).to.deep.equal(sent);
    expect(second.next).to.equal(null);
  });

  it('another company and the other environment see none of them; after seven days nobody does', async () => {
    const { acme } = await busyCompany();
    const stranger = await newCompany();
    const seen = async (input: Parameters<typeof listRequests>[1]) =>
      (await listRequests(actionContext(), input)).items;
    expect(await seen(sandboxOf(stranger))).to.deep.equal([]);
    expect(await seen({ companyId: acme.id, environment: 'production' })).to.deep.equal([]);
    clock.aheadMs = 7 * 86_400_000 + 60_000;
    try {
      expect(await seen(sandboxOf(acme))).to.deep.equal([]);
    } finally {
      clock.aheadMs = 0;
    }
  });

  it('the trace context of the header, or over MCP of the message, is in the log and on the page of the request', async () => {
    const acme = await newCompany();
    const recorded = recordedLog();
    const { server, settle } = await startWholeApp({}, { log: recorded.log });
    const trace = (letter: string) => `00-${letter.repeat(32)}-00f067aa0ba902b7-01`;
    const secret = await acme.secret('sandbox', 'read');
    await new RestClient(server, 'sandbox', secret).get('/account', { traceparent: trace('a') });
    await new RestClient(server, 'sandbox', secret).get('/account', { traceparent: 'not one' });
    const asAgent = new ModernMcpClient(server, 'sandbox', secret);
    const _meta = { ...modernMeta, traceparent: trace('b') };
    await asAgent.request('tools/call', { name: 'get_account', _meta }, { traceparent: trace('a') });
    await new McpClient(server, 'sandbox', secret).request('ping', { _meta: { traceparent: 'not one' } });
    await settle();
    const { items: requests } = await listRequests(actionContext(), sandboxOf(acme));
    const seen = [null, trace('b'), null, trace('a')];
    expect(requests.map(({ traceparent }) => traceparent)).to.deep.equal(seen);
    const lines = recorded.lines.filter(({ requestId }) => requests.some((entry) => entry.requestId === requestId));
    expect(lines.map(({ traceparent = null }) => traceparent).reverse()).to.deep.equal(seen);
    const page = await (await PageClient.signedIn('company', await newUser(acme, 'sub'))).get(
      `/requests/sandbox/${requests[1]?.requestId}`,
    );
    expect(textOf(page)).to.include('b'.repeat(32));
  });

  it('a request without a valid credential belongs to no company and is not logged', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    await new McpClient(server, 'production', await acme.secret('sandbox', 'read')).request('tools/list');
    await settle();
    expect(
      (await listRequests(actionContext(), { companyId: acme.id, environment: 'production' })).items,
    ).to.deep.equal([]);
  });

  it('each tool call of a batch has its own entry', async () => {
    const acme = await newCompany();
    const { server, settle } = await startWholeApp();
    const asAgent = new McpClient(server, 'sandbox', await acme.secret('sandbox', 'read'));
    const call = (id: number, name: string, given: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    await asAgent.post([call(1, 'get_account', {}), call(2, 'get_job', { id: 1_000_000 })], {
      'MCP-Protocol-Version': '2025-03-26',
    });
    await settle();
    const { items: requests } = await listRequests(actionContext(), sandboxOf(acme));
    expect(requests.map(({ operation, status }) => `${operation} ${status}`)).to.deep.equal([
      'getJob 404',
      'getAccount 200',
    ]);
  });
});

describe('requestsPerMinute', () => {
  it('returns sixty minutes, oldest first, including those without requests', async () => {
    const { acme } = await busyCompany();
    const minutes = await requestsPerMinute(actionContext(), sandboxOf(acme));
    expect(minutes).to.have.length(60);
    const gaps = minutes.slice(1).map(({ minute }, n) => Number(minute) - Number(minutes[n]?.minute));
    expect(new Set(gaps)).to.deep.equal(new Set([60_000]));
    const total = (of: 'requests' | 'refused') => minutes.reduce((sum, minute) => sum + minute[of], 0);
    expect(total('requests')).to.equal(7);
    expect(total('refused')).to.equal(4);
    expect(minutes.slice(0, 57).every(({ requests }) => requests === 0)).to.equal(true);
  });
});
