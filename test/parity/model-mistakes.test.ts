import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { type Call, callers, createJob, listJobs, type ProtocolCaller, updateJob } from '../helper/protocol-callers.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { inToolWords } from './tool-words.ts';

/** A model's wrong call, and by field the message of its 422, or words of it. */
type Mistake = readonly [call: Call, details: Readonly<Record<string, string>>];

const jobWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
const unknown = 'is not a known field';
const meant = (field: string) => `${unknown}; did you mean ${field}?`;

/** One wrong value of one field of a create, and the message. */
const values: readonly (readonly [field: string, value: unknown, said: string])[] = [
  ['salaryMin', 1, meant('salary_min')],
  ['region', 13, meant('district_id')],
  ['salary', 1, meant('salary_min or salary_max')],
  ['district_id', 'Porto', 'must be of type integer, not string; see list_regions'],
  ['district_id', 999, 'see list_regions'],
  ['district_id', '13', 'must be of type integer, not string: 13; see list_regions'],
  ['category_id', 3, 'send the id of one of its children, which have it as parent_id; see list_categories'],
  ['category_id', 999_999, 'see list_categories'],
  ['salary_min', 1200.555, 'must have at most two decimal places, such as 1250.5'],
  ['valid_until', '31/12/2099', 'written YYYY-MM-DD, such as 2099-12-31'],
  ['valid_until', '01/02/2099', 'written YYYY-MM-DD, such as 2030-12-31'],
  ['valid_until', inDays(-1), `must be after today, ${inDays(0)}`],
  ['contract_type', 'FULL_TIME', 'temporary, internship, freelance, null; did you mean full_time?'],
  ['work_modality', 'Híbrido', 'must be one of presencial, remoto, hibrido, null; did you mean hibrido?'],
  ['title', '😀'.repeat(256), 'must have at most 255 characters, not 256'],
  ['language_requirements', 'Inglês B2', 'must be of type array, not string: ["Inglês B2"]'],
  ['language_requirements', '["Inglês B2"]', 'must be of type array, not string: ["Inglês B2"]'],
  ['education_details', Array(51).fill('x'), 'must have at most 50 items, not 51'],
  ['education_details', ['x', 'y'.repeat(501)], 'item 2 must have at most 500 characters, not 501'],
  ['language_requirements', [7, 'a\0'], 'item 1 must be of type string, not number'],
  ['contact_email', 'Recursos Humanos', 'such as name@example.com'],
  ['body', '…'.repeat(22_000), 'must be at most 65535 bytes in UTF-8, not 66000'],
];

const wordNull = 'is the word null: send null, or leave it out';
/** Texts that programs produce for no value. */
const noValues: readonly (readonly [field: string, value: unknown])[] = [
  ['requirements', 'null'],
  ['contact_phone', 'None'],
  ['remote_policy', 'undefined'],
  ['contact_email', 'null'],
  ['external_application_url', 'None'],
  ['valid_until', 'null'],
  ['contract_type', 'null'],
  ['salary_min', 'None'],
  ['experience_years', 'null'],
  ['language_requirements', 'null'],
  ['language_requirements', ['null']],
];

const mistakes: readonly Mistake[] = [
  ...noValues.map(([field, value]): Mistake => [jobWith({ [field]: value }), { [field]: wordNull }]),
  [updateJob(0, { requirements: 'None' }), { requirements: wordNull }],
  ...values.map(([field, value, said]): Mistake => [jobWith({ [field]: value }), { [field]: said }]),
  [
    jobWith({ application_method: undefined }),
    { application_method: 'is required: one of system, email, phone, external' },
  ],
  [jobWith({ application_method: 'email' }), { contact_email: 'is required when application_method is email' }],
  [jobWith({ salary_min: 2000, salary_max: 1000 }), { salary_max: 'must be at least salary_min, which is 2000' }],
  [updateJob(0, { status: 'active' }), { status: 'leave it out: the service sets it' }],
  [
    { operationId: 'createJob', key: 'k', query: { title: 'Eletricista', category: '303' } },
    { job: 'is required', title: 'send it inside job', category: meant('category_id, inside job') },
  ],
  [
    createJob({ ...minimalJob, idempotency_key: 'k' }, undefined),
    { idempotency_key: 'send idempotency_key outside job' },
  ],
  [createJob(minimalJob, undefined), { idempotency_key: 'is required; a new UUID will do' }],
  [createJob(minimalJob, 'a b'), { idempotency_key: 'a new UUID will do' }],
  ...['48213/2026-11-20T14:02:09.077Z/active/Vaga', '"a'].map(
    (ifMatch): Mistake => [
      { ...updateJob(0, { title: 'Pintor' }), ifMatch },
      { if_match: 'must be the ETag of the job with its double quotes, such as "48213/' },
    ],
  ),
  [{ ...updateJob(0, { title: 'Pintor' }), ifMatch: '' }, { if_match: 'or leave it out' }],
  [listJobs({ status: 'all' }), { status: 'must be one of active, pending, inactive, expired; leave it out for all' }],
  [listJobs({ status: 'denied' }), { status: 'leave it out for all' }],
  [listJobs({ perPage: 10, status: 'Active' }), { perPage: meant('per_page'), status: 'did you mean active?' }],
];

describe('a mistake that models make', () => {
  let opened: readonly ProtocolCaller[];
  let asWriter: McpClient;
  let asReader: McpClient;
  let id: number;
  before(async () => {
    const acme = await newCompany();
    const secret = await acme.secret('sandbox', 'write');
    opened = callers.map((open) => open(server(), 'sandbox', secret));
    asWriter = new McpClient(server(), 'sandbox', secret);
    const { body } = (await opened[0]?.run(createJob(minimalJob, 'own'))) ?? {};
    ({ id } = (body as { data: { id: number } }).data);
    asReader = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
  });

  const detailsOf = (body: unknown) => (body as { error: { details: Record<string, string[]> } }).error.details;

  it('is answered with the right input, over every protocol', async () => {
    for (const [call, said] of mistakes) {
      const [rest, ...others] = await Promise.all(opened.map((caller) => caller.run({ ...call, id })));
      // Over REST the key is a header, and a body field may have the name of the tool's argument.
      const inRest = detailsOf(inToolWords(rest?.body));
      const answers = others.map(({ body }) => detailsOf(body));
      if (Object.keys(detailsOf(rest?.body)).length === Object.keys(said).length) answers.push(inRest);
      expect([rest, ...others].map((answer) => answer?.status)).to.deep.equal([422, 422, 422]);
      for (const details of answers) {
        expect(details).to.have.all.keys(Object.keys(said));
        for (const [field, words] of Object.entries(said)) expect(details[field]?.join(), field).to.include(words);
      }
    }
  });

  it('a text that contains the word null, and a required text that equals it, are stored', async () => {
    const job = { ...minimalJob, title: 'null', requirements: 'None.', language_requirements: ['null', 'Inglês'] };
    for (const [at, caller] of opened.entries())
      expect((await caller.run(createJob(job, `w${at}`))).status).to.equal(201);
  });

  it('for an id in a string, or under another name, the error names it', async () => {
    const refused = async (name: string, given: object) => (await asWriter.call(name, given)).error?.details;
    const noInteger = (digits: string) => [`must be of type integer, not string: ${digits}`];
    expect(await refused('get_job', { id: '48213' })).to.deep.equal({ id: noInteger('48213') });
    expect(await refused('list_jobs', { per_page: '10' })).to.deep.equal({ per_page: noInteger('10') });
    expect(await refused('get_job', { job_id: 48213 })).to.deep.equal({ id: ['is required'], job_id: [meant('id')] });
    expect(await refused('update_job', { id, job: 'title: Pintor' })).to.have.keys('job');
  });

  it('null for an optional argument, or for all arguments, counts as absent; inside a job it clears the field', async () => {
    const none = { page: null, per_page: null, status: null, updated_since: null, cursor: null };
    expect((await asWriter.call('list_jobs', none)).status).to.equal(200);
    expect((await asWriter.call('get_account', null)).status).to.equal(200);
    const job = { salary_type: null };
    expect((await asWriter.call('update_job', { id, if_match: null, job })).status).to.equal(200);
    expect((await asWriter.call('get_job', { id: null })).error?.details).to.have.keys('id');
    expect((await asWriter.call('list_jobs', { colour: null })).error?.details).to.have.keys('colour');
  });

  it('a date-time that lost its + gets a hint about URLs; other wrong ones do not', async () => {
    const said = async (since: string) =>
      JSON.stringify((await asWriter.call('list_jobs', { updated_since: since })).error);
    expect(await said('2026-11-20'))
      .to.include('with its offset')
      .and.not.include('URL');
    expect(await said('2026-11-20T09:00:00 01:00')).to.include('in a URL, + is written %2B');
  });

  it('a list has a line end between its jobs, for clients that cut a long result there', async () => {
    await opened[0]?.run(createJob(minimalJob, 'second'));
    const { body } = await asWriter.request('tools/call', { name: 'list_jobs', arguments: {} });
    const { content, structuredContent } = body.result;
    expect(content[0].text.split('\n')).to.have.length(structuredContent.response.data.length);
  });

  it('for an unknown tool, the error names the nearest one that the credential permits', async () => {
    const meantTool = async (client: McpClient, name: string) => {
      const { message } = (await client.request('tools/call', { name, arguments: {} })).body.error;
      expect(message).to.include('tools/list').and.have.length.below(120);
      return /did you mean (\w+)/.exec(message)?.[1];
    };
    expect(await meantTool(asWriter, 'createJob')).to.equal('create_job');
    expect(await meantTool(asWriter, 'get-categories')).to.equal('list_categories');
    const inOtherWords = ['list_options', 'delete_job', 'closeJob', 'list_districts', 'edit_job', 'add-job'];
    const meantTools = ['list_job_options', 'withdraw_job', 'withdraw_job', 'list_regions', 'update_job', 'create_job'];
    for (const [at, name] of inOtherWords.entries()) expect(await meantTool(asWriter, name)).to.equal(meantTools[at]);
    for (const name of ['constructor', 'search', 'x'.repeat(100_000)])
      expect(await meantTool(asWriter, name)).to.equal(undefined);
    expect(await meantTool(asReader, 'createJob')).to.equal(undefined);
  });

  it('thousands of unknown fields and names of any length get a short answer, which repeats only short plain text', async () => {
    const names = Array.from({ length: 7000 }, (_, index) => [`salary_${index}`, 1]);
    const many = detailsOf((await opened[0]?.run(jobWith(Object.fromEntries(names))))?.body);
    expect(many).to.deep.equal({ request_body: ['must have known names only; 7000 are unknown'] });
    const few = detailsOf((await opened[0]?.run(jobWith(Object.fromEntries(names.slice(0, 20)))))?.body);
    expect(Object.keys(few)).to.have.lengthOf(20);
    const long = [jobWith({ ['x'.repeat(50_000)]: 1 }), listJobs({ ['y'.repeat(5000)]: 1 })];
    const odd = ['\ud800', 'a\u0000', 'x'.repeat(61)].map((text) => jobWith({ language_requirements: text }));
    for (const caller of opened) {
      for (const call of long) expect(JSON.stringify((await caller.run(call)).body).length).to.be.below(400);
      for (const call of odd)
        expect(detailsOf((await caller.run(call)).body)).to.deep.equal({
          language_requirements: ['must be of type array, not string: ["…"]'],
        });
    }
  });
});
