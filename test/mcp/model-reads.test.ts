import { expect } from 'chai';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { actionContext, newJob, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

/** A mistake of an agent, and words that its model then reads; `id` stands for the job's id. */
type Row = readonly [mistake: string, tool: string, given: unknown, read: string | RegExp];

const otherText = { ...minimalJob, title: 'Eletricista (m/f)' };
const create = (fields: object): unknown => ({ idempotency_key: 'other', job: { ...minimalJob, ...fields } });
const noSuchTool = (meant: string) => `There is no such tool; did you mean ${meant}?`;
const wordNull = 'is the word null: send null, or leave it out';

const rows: readonly Row[] = [
  [
    'the same key after a time-out, with re-worded text: the job exists, and is named',
    'create_job',
    { idempotency_key: 'own', job: otherText },
    /created a job from different JSON \(job_id\): read that job and update it; use another key only for another job.*"job_id":id\b/,
  ],
  [
    'the same where the job is gone: no job is named',
    'create_job',
    { idempotency_key: 'gone', job: otherText },
    /for a job that is gone; use another key for another job(?!.*job_id)/,
  ],
  [
    'a list as text',
    'create_job',
    create({ language_requirements: '["Inglês B2"]' }),
    /array, not string: \[\\"Inglês B2\\"\]/,
  ],
  [
    'an empty if_match',
    'update_job',
    { id: 'id', if_match: '', job: { title: 'x' } },
    /must be the ETag of the job .*; or leave it out/,
  ],
  ['the word null', 'create_job', create({ requirements: 'null' }), wordNull],
  ['the word None', 'update_job', { id: 'id', job: { contact_phone: 'None' } }, wordNull],
  ['the word undefined', 'create_job', create({ valid_until: 'undefined' }), wordNull],
  ['a list of the word null', 'create_job', create({ education_details: ['null'] }), wordNull],
  ['a tool by a shorter name', 'list_options', {}, noSuchTool('list_job_options')],
  ['a tool by another verb', 'delete_job', {}, noSuchTool('withdraw_job')],
  ['a tool by a third verb', 'close_job', {}, noSuchTool('withdraw_job')],
  ['a tool by another noun', 'list_districts', {}, noSuchTool('list_regions')],
  ['a status for all', 'list_jobs', { status: 'all' }, 'leave it out for all'],
  ['a status that is no filter', 'list_jobs', { status: 'denied' }, 'leave it out for all'],
  [
    'a day for an instant',
    'list_jobs',
    { updated_since: '2026-11-20' },
    /with its offset, such as 2026-11-20T09:00:00Z(?!.*URL)/,
  ],
  ['a job where its arguments should be', 'create_job', minimalJob, /send it inside job/],
  ['null for what is required', 'get_job', { id: null }, 'must be of type integer, not null'],
  ['null for each optional argument', 'list_jobs', { page: null, per_page: null, status: null }, minimalJob.title],
  [
    'null for an optional header',
    'update_job',
    { id: 'id', if_match: null, job: { title: minimalJob.title } },
    minimalJob.title,
  ],
  ['null for no arguments', 'get_account', null, 'remaining'],
];

describe('what a model reads after a mistake', () => {
  let client: McpClient;
  let id: number;
  before(async () => {
    const own = await newJob('sandbox', {}, 'own');
    id = own.id;
    const { body } = await own.writer.create(minimalJob, 'gone');
    await removeJob(actionContext(), { ...own.ref, jobId: BigInt(body.data.id) });
    client = new McpClient(server(), 'sandbox', await own.acme.secret('sandbox', 'write'));
  });

  for (const [mistake, name, given, read] of rows)
    it(`${mistake}: ${name}`, async () => {
      const sent = JSON.parse(JSON.stringify(given).replace('"id":"id"', `"id":${id}`));
      const { body } = await client.request('tools/call', { name, arguments: sent });
      const text: string = body.error?.message ?? body.result.content[0].text;
      const found = text.replace(`"job_id":${id}`, '"job_id":id');
      if (typeof read === 'string') expect(found).to.include(read);
      else expect(found).to.match(read);
    });
});
