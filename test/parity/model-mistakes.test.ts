import { expect } from 'chai';
import { newCompany, server } from '../helper/fixtures.ts';
import { McpClient } from '../helper/mcp-client.ts';
import {
  type Call,
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  updateJob,
} from '../helper/protocol-callers.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { inToolWords } from './tool-words.ts';

/** A call as a model gets it wrong, and the details of its 422 as the tool words them. */
type Mistake = readonly [title: string, call: Call, details: Readonly<Record<string, readonly string[]>>];

const jobWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
const { title: _, ...untitled } = minimalJob;
const { category_id: __, ...uncategorised } = minimalJob;
const { application_method: ___, ...unapplied } = minimalJob;
const unknown = 'is not a known field';
const contracts = 'full_time, part_time, contract, temporary, internship, freelance, null';

const mistakes: readonly Mistake[] = [
  [
    'category for category_id',
    createJob({ ...uncategorised, category: 303 }, 'k'),
    {
      category_id: ['is required; see list_categories'],
      category: [`${unknown}; did you mean category_id?`],
    },
  ],
  [
    'names in camel case, by their labels, and in part',
    jobWith({ salaryMin: 1, region: 13, phone: '1', salary: 1, languages: [] }),
    {
      salaryMin: [`${unknown}; did you mean salary_min?`],
      region: [`${unknown}; did you mean district_id?`],
      phone: [`${unknown}; did you mean contact_phone?`],
      salary: [`${unknown}; did you mean salary_min or salary_max?`],
      languages: [`${unknown}; did you mean language_requirements?`],
    },
  ],
  ['a name like no other', jobWith({ colour: 'red' }), { colour: [unknown] }],
  [
    'fields that the service sets, sent back as they were read',
    updateJob(1, { id: 1, status: 'active', company_name: 'Oficina' }),
    Object.fromEntries(
      ['id', 'status', 'company_name'].map((name) => [name, [`${unknown}; leave it out: the service sets it`]]),
    ),
  ],
  [
    'the name of a region instead of its id',
    jobWith({ district_id: 'Porto' }),
    { district_id: ['must be of type integer, not string; see list_regions'] },
  ],
  [
    'an id of no region',
    jobWith({ district_id: 999 }),
    { district_id: ['must be the id of a region; see list_regions'] },
  ],
  [
    'an id in a string',
    jobWith({ district_id: '13' }),
    { district_id: ['must be of type integer, not string: 13; see list_regions'] },
  ],
  [
    'a main area instead of a child category',
    jobWith({ category_id: 3 }),
    {
      category_id: [
        'is a main area; send the id of one of its children, which have it as parent_id; see list_categories',
      ],
    },
  ],
  [
    'an id of no category',
    jobWith({ category_id: 999_999 }),
    { category_id: ['must be the id of an active category with a parent_id; see list_categories'] },
  ],
  ['0 as an id', jobWith({ category_id: 0 }), { category_id: ['must be at least 1; see list_categories'] }],
  [
    'a salary as a string',
    jobWith({ salary_min: '1200', salary_max: '1.500 €' }),
    {
      salary_min: ['must be of type number, not string: 1200'],
      salary_max: ['must be of type number, not string, such as 1250.5'],
    },
  ],
  [
    'a salary with three decimals',
    jobWith({ salary_min: 1200.555 }),
    { salary_min: ['must have at most two decimal places, such as 1250.5'] },
  ],
  [
    'salaries in the wrong order',
    jobWith({ salary_min: 2000, salary_max: 1000 }),
    { salary_max: ['must be at least salary_min, which is 2000'] },
  ],
  ...(
    [
      ['31/12/2099', '2099-12-31'],
      ['12-31-2099', '2099-12-31'],
      ['2099-12-31T00:00:00Z', '2099-12-31'],
      ['01/02/2099', '2030-12-31'],
      ['31/02/2099', '2030-12-31'],
      ['amanhã', '2030-12-31'],
    ] as const
  ).map(
    ([sent, example]): Mistake => [
      `${sent} as a day`,
      jobWith({ valid_until: sent }),
      { valid_until: [`must be a date that exists, written YYYY-MM-DD, such as ${example}`] },
    ],
  ),
  [
    'a day that has passed',
    jobWith({ valid_until: inDays(-1) }),
    { valid_until: [`must be after today, ${inDays(0)}; null means open-ended`] },
  ],
  ...(
    [
      ['Full-time', 'full_time'],
      ['FULL_TIME', 'full_time'],
      ['intern', undefined],
      ['Contract', 'contract'],
      ['permanente', undefined],
    ] as const
  ).map(
    ([sent, meant]): Mistake => [
      `${sent} as contract_type`,
      jobWith({ contract_type: sent }),
      { contract_type: [`must be one of ${contracts}${meant ? `; did you mean ${meant}?` : ''}`] },
    ],
  ),
  ...(
    [
      ['Híbrido', 'hibrido'],
      ['remote', 'remoto'],
      ['Hybrid', 'hibrido'],
    ] as const
  ).map(
    ([sent, meant]): Mistake => [
      `${sent} as work_modality`,
      jobWith({ work_modality: sent }),
      { work_modality: [`must be one of presencial, remoto, hibrido, null; did you mean ${meant}?`] },
    ],
  ),
  [
    'null for what is not nullable',
    jobWith({ title: null, salary_negotiable: null }),
    {
      title: ['must be of type string, not null'],
      salary_negotiable: ['must be of type boolean, not null'],
    },
  ],
  [
    'true in a string',
    jobWith({ salary_negotiable: 'true' }),
    { salary_negotiable: ['must be of type boolean, not string: true'] },
  ],
  [
    'one string for a list',
    jobWith({ language_requirements: 'Inglês B2', education_details: 'x'.repeat(61) }),
    {
      language_requirements: ['must be of type array, not string: ["Inglês B2"]'],
      education_details: ['must be of type array, not string: ["…"]'],
    },
  ],
  [
    'job fields beside job',
    { operationId: 'createJob', key: 'k', query: { title: 'Eletricista', category: '303' } },
    {
      job: ['is required'],
      title: [`${unknown}; send it inside job`],
      category: [`${unknown}; did you mean category_id, inside job?`],
    },
  ],
  [
    'the key inside job, and none beside it',
    createJob({ ...minimalJob, idempotency_key: 'k' }, undefined),
    {
      idempotency_key: [`${unknown}; send idempotency_key outside job`, 'is required; a new UUID will do'],
    },
  ],
  ['no key', createJob(minimalJob, undefined), { idempotency_key: ['is required; a new UUID will do'] }],
  ['no title', createJob(untitled, 'k'), { title: ['is required'] }],
  [
    'no application_method',
    createJob(unapplied, 'k'),
    { application_method: ['is required: one of system, email, phone, external'] },
  ],
  [
    'application_method email without contact_email',
    jobWith({ application_method: 'email' }),
    { contact_email: ['is required when application_method is email'] },
  ],
  [
    'an address that is none',
    jobWith({ contact_email: 'Recursos Humanos' }),
    { contact_email: ['must be an email address, such as name@example.com'] },
  ],
  [
    'an http URL',
    jobWith({ application_method: 'external', external_application_url: 'http://example.com' }),
    { external_application_url: ['must begin with https://'] },
  ],
  [
    'a title that is too long',
    jobWith({ title: '😀'.repeat(256) }),
    { title: ['must have at most 255 characters, not 256'] },
  ],
  [
    'too many items',
    jobWith({ education_details: Array(51).fill('x') }),
    { education_details: ['must have at most 50 items, not 51'] },
  ],
  [
    'a body of too many bytes',
    jobWith({ body: '…'.repeat(22_000) }),
    { body: ['must be at most 65535 bytes in UTF-8, not 66000'] },
  ],
  [
    'a body that is too long once it is escaped',
    jobWith({ body: '&'.repeat(10_000) }),
    {
      body: [
        'must have at most 30000 characters after sanitizing, not 50000: the text has 50000 with &, <, > and no-break spaces escaped ' +
          '(&amp; &lt; &gt; &nbsp;), the tags 0; shorten it',
      ],
    },
  ],
  [
    'a body without text',
    jobWith({ body: '<p></p>' }),
    { body: ['must contain text that can be read, not only tags and white space'] },
  ],
  ['a title without text', jobWith({ title: ' ' }), { title: ['must contain a visible character'] }],
  [
    'a word as an instant',
    listJobs({ updated_since: 'yesterday' }),
    {
      updated_since: ['must be a date-time with its offset, such as 2026-11-20T09:00:00Z; in a URL, + is written %2B'],
    },
  ],
  [
    'a page size in another name, and a status in another case',
    listJobs({ perPage: 10, status: 'Active' }),
    {
      perPage: [`${unknown}; did you mean per_page?`],
      status: ['must be one of active, pending, inactive, expired; did you mean active?'],
    },
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

  for (const [title, call, details] of mistakes)
    it(`${title}: every protocol says what to send`, async () => {
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

  it('the corrected call succeeds', async () => {
    for (const caller of opened) {
      const created = await caller.run(createJob(minimalJob, `corrected ${caller.name}`.replaceAll(' ', '-')));
      expect(created.status).to.equal(201);
      const { id } = (created.body as { data: { id: number } }).data;
      expect((await caller.run(getJob(id))).status).to.equal(200);
    }
  });
});
