import { expect } from 'chai';
import { db, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { createJob, listJobs, mcpCaller, type ProtocolCaller, restCaller } from '../helper/protocol-callers.ts';
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

  for (const status of [429, 503])
    it(`${status} is a tool result with isError in place of a read and of a create`, async () => {
      for (const call of [listJobs(), createJob(minimalJob, 'k')]) {
        const answer = await asAgent.run({ ...call, ...simulate(String(status)) });
        expect([answer.httpStatus, answer.status]).to.deep.equal([200, status]);
        const { error } = answer.body as { error: { details: unknown } };
        expect(error.details).to.deep.equal({ reason: 'simulated', retry_after_seconds: 1 });
      }
      expect(await jobsOf(acme)).to.equal(0);
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

  it('refused calls are answered; any other value is 422 and names the header', async () => {
    expect((await asAgent.run({ ...createJob({}, 'k'), ...simulate('lost-response') })).status).to.equal(422);
    const { status, body } = await asAgent.run({ ...listJobs(), ...simulate('500') });
    expect(status).to.equal(422);
    expect((body as { error: { details: object } }).error.details).to.have.keys('X-Simulate');
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
