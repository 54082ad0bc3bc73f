import { expect } from 'chai';
import { contractErrors } from '../../src/contract/validate.ts';
import { newCompany, server, type TestCompany } from '../helper/fixtures.ts';
import {
  type Call,
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { fullJob, jobWithManyErrors, minimalJob, patchesAgainstRules } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';
import { invalidValues } from '../property/invalid-values.ts';
import { describeOutcomes, type Outcome, reasonOf, rowsOf } from './same-outcome.ts';
import { aJob, changeTo, createWith, outcome } from './situations.ts';
import { inToolWords } from './tool-words.ts';

/** All callers, each for a company of its own with a job of every field. */
const allCallers = (): Promise<{ caller: ProtocolCaller; id: number; company: TestCompany }[]> =>
  Promise.all(
    callers.map(async (open) => {
      const company = await newCompany();
      const caller = open(server(), 'sandbox', await company.secret('sandbox', 'write'));
      const { body } = await caller.run(createJob(fullJob(), 'given'));
      return { caller, id: (body as { data: { id: number } }).data.id, company };
    }),
  );

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80);

const longest = Math.max(...Object.values(invalidValues).map(({ length }) => length));
/** The first invalid value of every field, the second of those that have one, and so on. */
const together = times(longest, (n) =>
  Object.fromEntries(
    Object.entries(invalidValues).flatMap(([field, values]) => (n < values.length ? [[field, values[n]]] : [])),
  ),
);
const meetsContract = (body: object): boolean => {
  const header = { 'Idempotency-Key': 'k' };
  return contractErrors({ operationId: 'createJob', path: {}, query: {}, header, body }).length === 0;
};
/** For each field that has one, a value that only a rule beyond the contract refuses. */
const alone = Object.entries(invalidValues).flatMap(([field, values]) => {
  const wrong = values.map((value) => ({ [field]: value }));
  return wrong.filter((fields) => meetsContract({ ...minimalJob, ...fields })).slice(0, 1);
});

it('every invalid value of every field is refused over both protocols, together with others and, where only a rule refuses it, alone', async () => {
  const opened = await allCallers();
  const rows = () => Promise.all(opened.map(({ company }) => rowsOf(company)));
  const before = await rows();
  expect(alone).to.have.length.above(4);
  for (const wrong of [...together, ...alone])
    for (const callOf of [() => createJob({ ...minimalJob, ...wrong }, 'k'), (id: number) => updateJob(id, wrong)]) {
      const [rest, ...mcp] = await Promise.all(opened.map(({ caller, id }) => caller.run(callOf(id))));
      const named = rest && (reasonOf(rest) as string[]);
      expect([rest?.status, named], shown(wrong)).to.deep.equal([422, Object.keys(wrong).sort()]);
      for (const { httpStatus, body } of mcp)
        expect([httpStatus, body], shown(wrong)).to.deep.equal([200, inToolWords(rest?.body)]);
    }
  expect(await rows()).to.deep.equal(before);
});

const parsed = (json: string): unknown => JSON.parse(json);

const refused = (title: string, call: Call, because?: readonly string[], given?: Outcome['given']): Outcome =>
  outcome(title, call, 422, because && { because }, given && { given });

const noObjects: readonly unknown[] = [[], null, 7, true, 'x', '[]', '7', [minimalJob]];
/** What languages write for a value that is missing. */
const nullKeys = ['null', 'None', 'undefined', 'NULL', 'nil', 'NaN', 'nan'];
const manyUnknown = Object.fromEntries(times(500, (n) => [`k${n}`, 1]));
const lists = { education_details: Array(64).fill(7), language_requirements: [...Array(30).fill('x'), 7, 'a\0'] };
const readOnly = 'id company_name status is_active is_anonymous created_at updated_at'.split(' ');
const ofPrototypes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a/b', 'a~b', '0'];
const withField = (name: string): unknown =>
  parsed(JSON.stringify(minimalJob).replace('{', `{${JSON.stringify(name)}:{"title":"x"},`));
const contactOf = { email: 'contact_email', phone: 'contact_phone', external: 'external_application_url' };
const everyError = { ...jobWithManyErrors, education_details: ['a', 7, 'a\0'] };
const namedByAll =
  'Idempotency-Key body category_id contact_email contact_instructions contract_type education_details salary_max title ' +
  'unknown_field valid_until';

describeOutcomes('422 of a create over both protocols', [
  ...noObjects.map((body) => refused(`job ${shown(body)}`, createJob(body, 'k'), ['request_body'])),
  refused('no job', createJob(undefined, 'k'), ['request_body']),
  refused('an empty job', createJob({}, 'k'), Object.keys(minimalJob).sort()),
  ...Object.keys(minimalJob).map((field) => refused(`no ${field}`, createWith({ [field]: undefined }), [field])),
  ...[...readOnly, 'colour', ''].map((field) =>
    refused(`"${field}" cannot be set`, createWith({ [field]: null }), [field]),
  ),
  ...ofPrototypes.map((field) => refused(`${field} as a field`, createJob(withField(field), 'k'), [field])),
  refused('500 unknown fields and a known one', createWith({ ...manyUnknown, title: '' }), ['request_body', 'title']),
  refused('lists with wrong items', createWith(lists), Object.keys(lists)),
  refused('everything at once', createJob(everyError, 'a/b'), namedByAll.split(' ')),
  ...Object.entries(contactOf).map(([application_method, contact]) =>
    refused(`application_method ${application_method} without its contact`, createWith({ application_method }), [
      contact,
    ]),
  ),
  ...[undefined, '', 'a'.repeat(129), 'two words', 'é', 'a/b', '"k"', ...nullKeys].map((key) =>
    refused(`idempotency key ${shown(key)}`, createJob(minimalJob, key), ['Idempotency-Key']),
  ),
  refused('neither key nor job', createJob(undefined, undefined), ['Idempotency-Key', 'request_body']),
]);

const patches: readonly (readonly [patch: unknown, ...because: string[]])[] = [
  [{}, 'request_body'],
  ...[...noObjects, undefined].map((patch): [unknown, string] => [patch, 'request_body']),
  [{ status: 'active' }, 'status'],
  [{ title: null }, 'title'],
  ...patchesAgainstRules,
  [{ category_id: 999_999 }, 'category_id'],
  [parsed('{"__proto__":{"title":"x"}}'), '__proto__'],
  // Along with a schema error, all other errors are reported, judged by the resulting job.
  [{ colour: 'red', salary_max: 1 }, 'colour', 'salary_max'],
  [{ colour: 'red', salary_min: 9000, title: ' ' }, 'colour', 'salary_min', 'title'],
  [{ colour: 'red', contact_email: null, category_id: 1 }, 'category_id', 'colour', 'contact_email'],
  [{ colour: 'red', application_method: 'phone', contact_phone: null }, 'colour', 'contact_phone'],
  [
    { colour: 'red', application_method: 'external', external_application_url: ' ' },
    'colour',
    'external_application_url',
  ],
  // Whether these fit depends on the other field's value.
  [{ colour: 'red', salary_min: 'x', salary_max: 1 }, 'colour', 'salary_min'],
  [{ colour: 'red', application_method: 'fax', contact_email: null }, 'application_method', 'colour'],
  [{ colour: 'red', salary_max: 1600 }, 'colour'],
];

const queries: readonly Readonly<Record<string, unknown>>[] = [
  ...[0, -1, 1.5, 'abc', '', '1e1', [1, 2], 1_000_000_001].map((page) => ({ page })),
  ...[0, 101, -1, 2.5, 'x'].map((per_page) => ({ per_page })),
  ...['denied', '', 'ACTIVE', ['active', 'pending']].map((status) => ({ status })),
  ...['sort', 'constructor', 'toString', 'id', 'job', 'key'].map((name) => ({ [name]: 'x' })),
  parsed('{"__proto__":"x"}') as Record<string, unknown>,
  { page: 0, per_page: 101, status: 'x', other: 'y' },
];

const given = aJob(fullJob());
const reads = ['getAccount', 'listCategories', 'listRegions', 'listOptions'] as const;

describeOutcomes('422 of other calls over both protocols', [
  ...patches.map(([patch, ...because]) => refused(`updateJob ${shown(patch)}`, changeTo(patch), because, given)),
  ...queries.map((query) => refused(`listJobs ${shown(query)}`, listJobs(query), Object.keys(query).sort())),
  refused('listJobs with 500 unknown parameters and a known one', listJobs({ ...manyUnknown, page: 0 }), [
    'page',
    'query',
  ]),
  ...reads.map((operationId) => refused(`${operationId} with a page`, { operationId, query: { page: 1 } }, ['page'])),
  ...[getJob(0), withdrawJob(0)].map((call) =>
    refused(`${call.operationId}, verbose`, { ...call, query: { verbose: 'x' } }, ['verbose'], given),
  ),
]);

const never = [0, -1, 1.5, 'abc', '', '007', '1e3', '0x10', '%31', 'null', '__proto__', '9'.repeat(400)];
for (const call of [getJob, withdrawJob, (id: unknown) => updateJob(id, { title: 'Pintor' })])
  it(`${call(0).operationId} with an impossible id: 404 over REST; over MCP 404 for an integer, otherwise a wrong argument`, async () => {
    const [rest, ...mcp] = (await allCallers()).map(({ caller }) => caller);
    for (const id of never) if (id !== '') expect((await rest?.run(call(id)))?.status, shown(id)).to.equal(404);
    for (const caller of mcp)
      for (const id of [...never, undefined, null, true, [], {}, '1']) {
        const refused = await caller.run(call(id));
        const isInteger = Number.isInteger(id);
        expect(refused, shown(id)).to.include({ status: isInteger ? 404 : 422, httpStatus: 200 });
        expect(reasonOf(refused), shown(id)).to.deep.equal(isInteger ? 'job' : ['id']);
      }
  });

it('a key that is not a text, or an invalid one: a wrong argument over MCP', async () => {
  const [, ...mcp] = await allCallers();
  for (const { caller } of mcp)
    for (const key of ['k\0', 'k\ud800', 'k'.repeat(100_000), 7, ['k'], { k: 'k' }, null])
      expect(reasonOf(await caller.run(createJob(minimalJob, key))), shown(key)).to.deep.equal(['idempotency_key']);
});
