import { expect } from 'chai';
import { listRequests } from '../../src/operations/access-log/list-requests.ts';
import { actionContext, newCompany, startWholeApp, type TestCompany } from '../helper/fixtures.ts';
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
