import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import { type Call, callers, createJob, listJobs, type ProtocolCaller, updateJob } from '../helper/protocol-callers.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { inToolWords } from './tool-words.ts';

/** A call as a model gets it wrong, and the details of its 422 as the tool words them. */
type Mistake = readonly [call: Call, details: Readonly<Record<string, string | readonly string[]>>];

const jobWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
const without = (field: keyof typeof minimalJob, more: object = {}): Call =>
  createJob({ ...minimalJob, [field]: undefined, ...more }, 'k');
const unknown = 'is not a known field';
const meant = (field: string) => `${unknown}; did you mean ${field}?`;
const serviceSets = `${unknown}; leave it out: the service sets it`;
const contracts = 'must be one of full_time, part_time, contract, temporary, internship, freelance, null';
const modalities = 'must be one of presencial, remoto, hibrido, null';
const aDate = 'must be a date that exists, written YYYY-MM-DD, such as';
const aDateTime = 'must be a date-time with its offset, such as 2026-11-20T09:00:00Z; in a URL, + is written %2B';
const aChild = 'is a main area; send the id of one of its children, which have it as parent_id; see list_categories';
const tooLongEscaped =
  'must have at most 30000 characters after sanitizing, not 50000: the text has 50000 with &, <, > and no-break spaces escaped ' +
  '(&amp; &lt; &gt; &nbsp;), the tags 0; shorten it';

/** One wrong value of one field of a create, and what is said of it. */
const values: readonly (readonly [field: string, value: unknown, said: string])[] = [
  ['colour', 'red', unknown],
  ['salaryMin', 1, meant('salary_min')],
  ['region', 13, meant('district_id')],
  ['phone', '1', meant('contact_phone')],
  ['salary', 1, meant('salary_min or salary_max')],
  ['languages', [], meant('language_requirements')],
  ['district_id', 'Porto', 'must be of type integer, not string; see list_regions'],
  ['district_id', 999, 'must be the id of a region; see list_regions'],
  ['district_id', '13', 'must be of type integer, not string: 13; see list_regions'],
  ['category_id', 3, aChild],
  ['category_id', 999_999, 'must be the id of an active category with a parent_id; see list_categories'],
  ['category_id', 0, 'must be at least 1; see list_categories'],
  ['salary_min', '1200', 'must be of type number, not string: 1200'],
  ['salary_max', '1.500 €', 'must be of type number, not string, such as 1250.5'],
  ['salary_min', 1200.555, 'must have at most two decimal places, such as 1250.5'],
  ['valid_until', '31/12/2099', `${aDate} 2099-12-31`],
  ['valid_until', '12-31-2099', `${aDate} 2099-12-31`],
  ['valid_until', '2099-12-31T00:00:00Z', `${aDate} 2099-12-31`],
  ['valid_until', '01/02/2099', `${aDate} 2030-12-31`],
  ['valid_until', '31/02/2099', `${aDate} 2030-12-31`],
  ['valid_until', 'amanhã', `${aDate} 2030-12-31`],
  ['valid_until', inDays(-1), `must be after today, ${inDays(0)}; null means open-ended`],
  ['contract_type', 'Full-time', `${contracts}; did you mean full_time?`],
  ['contract_type', 'FULL_TIME', `${contracts}; did you mean full_time?`],
  ['contract_type', 'intern', contracts],
  ['work_modality', 'Híbrido', `${modalities}; did you mean hibrido?`],
  ['work_modality', 'remote', `${modalities}; did you mean remoto?`],
  ['title', null, 'must be of type string, not null'],
  ['title', '😀'.repeat(256), 'must have at most 255 characters, not 256'],
  ['title', ' ', 'must contain a visible character'],
  ['salary_negotiable', 'true', 'must be of type boolean, not string: true'],
  ['language_requirements', 'Inglês B2', 'must be of type array, not string: ["Inglês B2"]'],
  ['education_details', 'x'.repeat(61), 'must be of type array, not string: ["…"]'],
  ['education_details', Array(51).fill('x'), 'must have at most 50 items, not 51'],
  ['contact_email', 'Recursos Humanos', 'must be an email address, such as name@example.com'],
  ['external_application_url', 'http://example.com', 'must begin with https://'],
  ['body', '…'.repeat(22_000), 'must be at most 65535 bytes in UTF-8, not 66000'],
  ['body', '&'.repeat(10_000), tooLongEscaped],
  ['body', '<p></p>', 'must contain text that can be read, not only tags and white space'],
];

const mistakes: readonly Mistake[] = [
  ...values.map(([field, value, said]): Mistake => [jobWith({ [field]: value }), { [field]: said }]),
  [without('title'), { title: 'is required' }],
  [without('application_method'), { application_method: 'is required: one of system, email, phone, external' }],
  [
    without('category_id', { category: 303 }),
    { category_id: 'is required; see list_categories', category: meant('category_id') },
  ],
  [jobWith({ application_method: 'email' }), { contact_email: 'is required when application_method is email' }],
  [jobWith({ salary_min: 2000, salary_max: 1000 }), { salary_max: 'must be at least salary_min, which is 2000' }],
  [
    updateJob(1, { id: 1, status: 'active', company_name: 'Oficina' }),
    { id: serviceSets, status: serviceSets, company_name: serviceSets },
  ],
  [
    { operationId: 'createJob', key: 'k', query: { title: 'Eletricista', category: '303' } },
    { job: 'is required', title: `${unknown}; send it inside job`, category: meant('category_id, inside job') },
  ],
  [
    createJob({ ...minimalJob, idempotency_key: 'k' }, undefined),
    { idempotency_key: [`${unknown}; send idempotency_key outside job`, 'is required; a new UUID will do'] },
  ],
  [createJob(minimalJob, undefined), { idempotency_key: 'is required; a new UUID will do' }],
  [listJobs({ updated_since: 'yesterday' }), { updated_since: aDateTime }],
  [
    listJobs({ perPage: 10, status: 'Active' }),
    { perPage: meant('per_page'), status: 'must be one of active, pending, inactive, expired; did you mean active?' },
  ],
];

describe('a mistake that models make', () => {
  let opened: readonly ProtocolCaller[];
  let asWriter: McpClient;
  let asReader: McpClient;

  before(async () => {
    const acme = await newCompany();
    const secret = await acme.secret('sandbox', 'write');
    opened = callers.map((open) => open(server(), 'sandbox', secret));
    asWriter = new McpClient(server(), 'sandbox', secret);
    asReader = new McpClient(server(), 'sandbox', await acme.secret('sandbox', 'read'));
  });

  const detailsOf = (body: unknown) => (body as { error: { details: Record<string, string[]> } }).error.details;

  for (const [call, said] of mistakes)
    it(`${JSON.stringify(said).slice(0, 100)}: every protocol says what to send`, async () => {
      const details = Object.fromEntries(Object.entries(said).map(([field, texts]) => [field, [texts].flat()]));
      const [rest, ...others] = await Promise.all(opened.map((caller) => caller.run(call)));
      expect(rest?.status, JSON.stringify(rest?.body)).to.equal(422);
      // Over REST the key is a header, and a field of the body may be called like the tool's argument.
      if (Object.keys(details).length === Object.keys(detailsOf(rest?.body)).length)
        expect(detailsOf(inToolWords(rest?.body))).to.deep.equal(details);
      for (const { status, body } of others) {
        expect(status).to.equal(422);
        expect(detailsOf(body)).to.deep.equal(details);
      }
    });

  it('an id in a string, or under another name, is named', async () => {
    const refused = async (given: object) => (await asWriter.call('get_job', given)).error?.details;
    expect(await refused({ id: '48213' })).to.deep.equal({ id: ['must be of type integer, not string: 48213'] });
    expect(await refused({ job_id: 48213 })).to.deep.equal({
      id: ['is required'],
      job_id: [`${unknown}; did you mean id?`],
    });
    expect((await asWriter.call('list_jobs', { per_page: '10' })).error?.details).to.deep.equal({
      per_page: ['must be of type integer, not string: 10'],
    });
    expect(await asWriter.call('update_job', { id: 1, job: 'title: Pintor' })).to.deep.include({
      error: {
        status: 422,
        message: 'Some fields are not valid; details lists them.',
        details: { job: ['must be of type object, not string'] },
      },
    });
  });

  it('an unknown tool: the error names the nearest that the credential permits', async () => {
    const message = async (client: McpClient, name: string) =>
      (await client.request('tools/call', { name, arguments: {} })).body.error.message;
    const general = 'tools/list names the available ones.';
    expect(await message(asWriter, 'createJob')).to.equal(`There is no such tool; did you mean create_job? ${general}`);
    expect(await message(asWriter, 'get-categories')).to.include('did you mean list_categories?');
    expect(await message(asWriter, 'search')).to.equal(`There is no such tool; ${general}`);
    expect(await message(asReader, 'createJob')).to.equal(`There is no such tool; ${general}`);
    expect(await message(asWriter, 'x'.repeat(100_000))).to.equal(`There is no such tool; ${general}`);
  });

  it('thousands of unknown fields and names of any length get a short answer', async () => {
    const names = Array.from({ length: 7000 }, (_, index) => [`salary_${index}`, 1]);
    const many = detailsOf((await opened[0]?.run(jobWith(Object.fromEntries(names))))?.body);
    expect(Object.keys(many)).to.have.lengthOf(50);
    for (const call of [jobWith({ ['x'.repeat(50_000)]: 1 }), listJobs({ ['y'.repeat(5000)]: 1 })])
      for (const caller of opened) {
        const { status, body } = await caller.run(call);
        expect(status).to.equal(422);
        expect(JSON.stringify(body).length).to.be.below(400);
      }
  });

  it('only short text without controls or halves of characters is echoed', async () => {
    for (const sent of ['\ud800', 'a\u0000', 'x'.repeat(61)])
      for (const caller of opened)
        expect(detailsOf((await caller.run(jobWith({ language_requirements: sent }))).body), sent).to.deep.equal({
          language_requirements: ['must be of type array, not string: ["…"]'],
        });
  });
});
