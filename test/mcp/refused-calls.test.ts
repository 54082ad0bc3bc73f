import { expect } from 'chai';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { actionContext, newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { freshKey } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

describe('a refused tool call', () => {
  let acme: TestCompany;
  let client: McpClient;
  beforeEach(async () => {
    acme = await newCompany();
    client = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'write'));
  });

  /** The error of a call, which must be in the words of the tools. */
  async function refused(name: string, given: object) {
    const { error } = await client.call(name, given);
    expect(JSON.stringify(error)).to.not.match(/(GET|POST|PATCH|DELETE) \//);
    if (!error) throw new Error('the call was not refused');
    return error;
  }

  it('422 names the tool’s arguments, so that an agent that follows it succeeds', async () => {
    const key = freshKey();
    const job = minimalJob;
    const needsKey = 'is required; a new UUID will do';
    const cases: readonly [given: object, details: object][] = [
      [{ job }, { idempotency_key: [needsKey] }],
      [{ job, idempotency_key: 'a b' }, { idempotency_key: ['must match ^[A-Za-z0-9._:-]{1,128}$'] }],
      [{ job, idempotency_key: 7 }, { idempotency_key: ['must be of type string, not number'] }],
      [{ idempotency_key: key }, { job: ['is required'] }],
      [{ idempotency_key: key, job: 7 }, { job: ['must be of type object, not number'] }],
      [{}, { idempotency_key: [needsKey], job: ['is required'] }],
      [
        { 'Idempotency-Key': key, request_body: job },
        {
          idempotency_key: [needsKey],
          job: ['is required'],
          'Idempotency-Key': ['is not a known field; did you mean idempotency_key?'],
          request_body: ['is not a known field; did you mean body, inside job?'],
        },
      ],
      [
        { idempotency_key: key, job: { ...job, request_body: 1, 'Idempotency-Key': 1, job: 1, idempotency_key: 1 } },
        {
          request_body: ['is not a known field; did you mean body?'],
          'Idempotency-Key': ['is not a known field; send idempotency_key outside job'],
          job: ['is not a known field'],
          idempotency_key: ['is not a known field; send idempotency_key outside job'],
        },
      ],
    ];
    for (const [given, details] of cases) {
      const error = await refused('create_job', given);
      expect(error.status, JSON.stringify(given)).to.equal(422);
      expect(error.details, JSON.stringify(given)).to.deep.equal(details);
    }
    expect((await client.call('create_job', { idempotency_key: key, job })).status).to.equal(201);
    expect((await refused('update_job', { id: 1 })).details).to.deep.equal({ job: ['is required'] });
    expect((await refused('update_job', { id: 1, job: {} })).details).to.deep.equal({
      job: ['must have at least 1 field'],
    });
  });

  it('names the tools that list accepted values', async () => {
    const given = { idempotency_key: freshKey(), job: { ...minimalJob, category_id: 1, district_id: 999 } };
    const { details } = await refused('create_job', given);
    expect(details.category_id).to.match(/; see list_categories$/);
    expect(details.district_id).to.match(/; see list_regions$/);
  });

  it('409 and 410 name the argument', async () => {
    const given = { idempotency_key: freshKey(), job: minimalJob };
    const { response } = await client.call('create_job', given);
    const { id } = (response as { data: { id: number } }).data;
    const conflict = await refused('create_job', { ...given, job: { ...minimalJob, title: 'Outro' } });
    expect(conflict).to.deep.equal({
      status: 409,
      message: 'This idempotency_key was used with different JSON; use a new key for a new job.',
      details: { reason: 'idempotency_key', differing_fields: ['title'] },
    });
    await removeJob(actionContext(), { companyId: acme.id, environment: 'sandbox', jobId: BigInt(id) });
    expect((await refused('create_job', given)).message).to.match(/^The job that this idempotency_key created/);
  });
});
