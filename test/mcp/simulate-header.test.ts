import { expect } from 'chai';
import { db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { createJob, mcpCaller, type ProtocolCaller, restCaller } from '../helper/protocol-callers.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const simulate = (value: string) => ({ headers: { 'X-Simulate': value } });
const jobsOf = ({ id }: TestCompany): Promise<number> => db().job.count({ where: { companyId: id } });

/** The code of the connection's end, where no answer came. */
const lost = (call: Promise<{ status: number }>): Promise<string> =>
  call.then(
    ({ status }) => `answered ${status}`,
    ({ code }: { code: string }) => code,
  );

describe('X-Simulate over MCP', () => {
  let acme: TestCompany;
  let asAgent: ProtocolCaller;
  beforeEach(async () => {
    acme = await newCompany();
    asAgent = mcpCaller(server(), 'sandbox', await acme.secret('sandbox', 'write'));
  });

  it('lost-response creates the job without a response; the same key replays it over both protocols', async () => {
    expect(await lost(asAgent.run({ ...createJob(minimalJob, 'k'), ...simulate('lost-response') }))).to.equal(
      'ECONNRESET',
    );
    const overRest = restCaller(server(), 'sandbox', await acme.secret('sandbox', 'write'));
    for (const caller of [asAgent, overRest])
      expect((await caller.run(createJob(minimalJob, 'k'))).status, caller.name).to.equal(200);
    expect(await jobsOf(acme)).to.equal(1);
  });

  it('is not a tool argument, and other messages ignore it', async () => {
    const client = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
    const { body } = await client.request('tools/list', {}, { 'X-Simulate': 'lost-response' });
    for (const { inputSchema } of body.result.tools) expect(JSON.stringify(inputSchema)).not.to.match(/simulate/i);
  });

  it('production ignores it and says so', async () => {
    const client = new McpClient(server(), 'production', await acme.secret('production', 'write'));
    const params = { name: 'create_job', arguments: { job: minimalJob, idempotency_key: 'k' } };
    const { body, headers } = await client.request('tools/call', params, { 'X-Simulate': 'lost-response' });
    expect(body.result.structuredContent.http_status).to.equal(201);
    expect(headers['x-simulate-ignored']).to.equal('production');
  });
});
