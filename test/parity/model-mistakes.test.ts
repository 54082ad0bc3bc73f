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

const wordNull = 'is the word null: send null, or leave it out';
const copied = `<html><head><style>${'p.MsoNormal {margin:0cm}\n'.repeat(1600)}</style></head><body><!--x--><p class=a>Olá</p></body></html>`;
const drawn = `<p>Olá</p><img src="data:image/png;base64,${'A'.repeat(50_000)}">`;
const tooLong = ({ length }: string) =>
  `must have at most 30000 characters, not ${length}; leave out styles, comments and attributes, which count too, or shorten the text`;

/**
 * One wrong value of one field of a create, and the message. The others are in contract/messages, domain/field-rules and
 * domain/https-address.
 */
const values: readonly (readonly [field: string, value: unknown, said: string])[] = [
  ['salary', 1, meant('salary_min or salary_max')],
  ['district_id', '13', 'must be of type integer, not string: 13; see list_regions'],
  ['district_id', 999, 'see list_regions'],
  ['category_id', 3, 'send the id of one of its children, which have it as parent_id; see list_categories'],
  ['category_id', 999_999, 'see list_categories'],
  ['salary_min', 1200.555, 'must have at most two decimal places, such as 1250.5'],
  ['valid_until', inDays(-1), `must be after today, ${inDays(0)}`],
  ['contract_type', 'null', wordNull],
  ['requirements', 'null', wordNull],
  ['body', copied, tooLong(copied)],
  ['body', drawn, tooLong(drawn)],
  ['body', 'x'.repeat(30_001), tooLong('x'.repeat(30_001))],
  ['body', '&lt;p&gt;Olá&lt;/p&gt;', 'is escaped twice: send <p>, not &lt;p&gt;'],
];

const mistakes: readonly Mistake[] = [
  ...values.map(([field, value, said]): Mistake => [jobWith({ [field]: value }), { [field]: said }]),
  [updateJob(0, { requirements: 'None' }), { requirements: wordNull }],
  [
    { operationId: 'createJob', key: 'k', query: { title: 'Eletricista', category: '303' } },
    { job: 'is required', title: 'send it inside job', category: meant('category_id, inside job') },
  ],
  [
    createJob({ ...minimalJob, idempotency_key: 'k' }, undefined),
    { idempotency_key: 'send idempotency_key outside job' },
  ],
  [createJob(minimalJob, undefined), { idempotency_key: 'is required; a new UUID will do' }],
  [
    { ...updateJob(0, { title: 'Pintor' }), ifMatch: '48213/2026-11-20T14:02:09.077Z/active/Vaga' },
    { if_match: 'must be the ETag that was read, with its double quotes, such as "48213/' },
  ],
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
});
