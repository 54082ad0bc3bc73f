import { expect } from 'chai';
import { db, newCompany, server } from '../helper/fixtures.ts';
import {
  callers,
  createJob,
  getJob,
  listJobs,
  type ProtocolCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { fullJob, jobWithManyErrors, minimalJob, patchesAgainstRules } from '../helper/sample-jobs.ts';
import { invalidValues } from '../property/invalid-values.ts';
import { aJob } from './calls.ts';
import { describeOutcomes, type Outcome, reasonOf } from './same-outcome.ts';
import { inToolWords } from './tool-words.ts';

/** All callers, each for a company of its own with a job of every field. */
async function allCallers(): Promise<{ caller: ProtocolCaller; id: number; companyId: bigint }[]> {
  const opened = callers.map(async (open) => {
    const company = await newCompany();
    const caller = open(server(), 'sandbox', await company.secret('sandbox', 'write'));
    const { body } = await caller.run(createJob(fullJob(), 'given'));
    return { caller: caller, id: (body as { data: { id: number } }).data.id, companyId: company.id };
  });
  return Promise.all(opened);
}

/** Everything that a refused call must leave as it was. */
async function rowsOf(companyId: bigint) {
  const where = { companyId };
  const [jobs, keys, usage] = [
    db().job.findMany({ where }),
    db().idempotencyKey.findMany({ where }),
    db().postingUsage.findMany({ where }),
  ];
  return { jobs: await jobs, keys: await keys, usage: await usage };
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80);

describe('every invalid value of every field, over both protocols', () => {
  for (const [field, values] of Object.entries(invalidValues))
    it(field, async () => {
      const opened = await allCallers();
      const before = await Promise.all(opened.map(({ companyId }) => rowsOf(companyId)));
      for (const value of values) {
        const created = await Promise.all(
          opened.map(({ caller }) => caller.run(createJob({ ...minimalJob, [field]: value }, 'k'))),
        );
        const patched = await Promise.all(
          opened.map(({ caller, id }) => caller.run(updateJob(id, { [field]: value }))),
        );
        for (const [rest, ...mcp] of [created, patched]) {
          expect(rest?.status, shown(value)).to.equal(422);
          for (const { httpStatus, body } of mcp) {
            expect(httpStatus, shown(value)).to.equal(200);
            expect(body, shown(value)).to.deep.equal(inToolWords(rest?.body));
          }
        }
      }
      expect(await Promise.all(opened.map(({ companyId }) => rowsOf(companyId)))).to.deep.equal(before);
    }).timeout(60_000);
});

const invalid = { status: 422 } as const;
const parsed = (json: string): unknown => JSON.parse(json);
const title = (call: string, what: unknown): string => `${call} ${shown(what)}`;

const noObjects: readonly unknown[] = [[], null, 7, true, 'x', '[]', '7', [minimalJob]];
const manyUnknown = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 1]));

describeOutcomes('422 of a create over both protocols', [
  ...noObjects.map(
    (body): Outcome => ({
      ...invalid,
      title: title('job', body),
      call: createJob(body, 'k'),
      because: ['request_body'],
    }),
  ),
  { ...invalid, title: 'no job', call: createJob(undefined, 'k'), because: ['request_body'] },
  { ...invalid, title: 'an empty job', call: createJob({}, 'k') },
  ...Object.keys(minimalJob).map((field): Outcome => {
    const { [field as keyof typeof minimalJob]: _, ...rest } = minimalJob;
    return { ...invalid, title: `no ${field}`, call: createJob(rest, 'k'), because: [field] };
  }),
  ...['id', 'company_name', 'status', 'is_active', 'is_anonymous', 'created_at', 'updated_at', 'colour', ''].map(
    (field): Outcome => ({
      ...invalid,
      title: `${field || 'a nameless field'} cannot be set`,
      call: createJob({ ...minimalJob, [field]: null }, 'k'),
      because: [field],
    }),
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a/b', 'a~b', '0'].map((field): Outcome => {
    const body = parsed(JSON.stringify(minimalJob).replace('{', `{${JSON.stringify(field)}:{"title":"x"},`));
    return { ...invalid, title: `${field} as a field`, call: createJob(body, 'k'), because: [field] };
  }),
  { ...invalid, title: '500 unknown fields', call: createJob({ ...minimalJob, ...manyUnknown }, 'k') },
  {
    ...invalid,
    title: 'everything at once',
    call: createJob({ ...jobWithManyErrors, education_details: ['a', 7, 'a\0'] }, 'a/b'),
  },
  ...(['email', 'phone', 'external'] as const).map(
    (application_method): Outcome => ({
      ...invalid,
      title: `application_method ${application_method} without its contact`,
      call: createJob({ ...minimalJob, application_method }, 'k'),
    }),
  ),
  { ...invalid, title: 'no idempotency key', call: createJob(minimalJob, undefined), because: ['Idempotency-Key'] },
  ...['', 'a'.repeat(129), 'two words', 'é', 'a/b', '"k"'].map(
    (key): Outcome => ({
      ...invalid,
      title: title('idempotency key', key),
      call: createJob(minimalJob, key),
      because: ['Idempotency-Key'],
    }),
  ),
  { ...invalid, title: 'neither key nor job', call: createJob(undefined, undefined) },
]);

const patches: readonly [patch: unknown, because: string][] = [
  [{}, 'request_body'],
  ...noObjects.map((patch): [unknown, string] => [patch, 'request_body']),
  [{ status: 'active' }, 'status'],
  [{ title: null }, 'title'],
  ...patchesAgainstRules,
  [{ category_id: 999_999 }, 'category_id'],
  [parsed('{"__proto__":{"title":"x"}}'), '__proto__'],
];

/** With a fault against the schema: every other fault is reported too, by the job as it would then be. */
const patchesWithUnknown: readonly [patch: object, because: readonly string[]][] = [
  [{ salary_max: 1 }, ['salary_max']],
  [{ salary_min: 9000, title: ' ' }, ['salary_min', 'title']],
  [{ contact_email: null, category_id: 1 }, ['category_id', 'contact_email']],
  [{ application_method: 'phone', contact_phone: null }, ['contact_phone']],
  [{ application_method: 'external', external_application_url: ' ' }, ['external_application_url']],
  // Whether these fit is known when the other field has a value.
  [{ salary_min: 'x', salary_max: 1 }, ['salary_min']],
  [{ application_method: 'fax', contact_email: null }, ['application_method']],
  [{ salary_max: 1600 }, []],
];

const pages = [0, -1, 1.5, 'abc', '', '1e1', [1, 2], 1_000_000_001];
const queries: readonly Readonly<Record<string, unknown>>[] = [
  ...pages.map((page) => ({ page })),
  ...[0, 101, -1, 2.5, 'x'].map((per_page) => ({ per_page })),
  ...['denied', '', 'ACTIVE', ['active', 'pending']].map((status) => ({ status })),
  ...['sort', 'constructor', 'toString', 'id', 'job', 'idempotency_key'].map((name) => ({ [name]: 'x' })),
  parsed('{"__proto__":"x"}') as Record<string, unknown>,
  { page: 0, per_page: 101, status: 'x', other: 'y' },
];

describeOutcomes('422 of other calls over both protocols', [
  ...patches.map(
    ([patch, because]): Outcome => ({
      ...invalid,
      title: title('updateJob', patch),
      call: updateJob(0, patch),
      because: [because],
      given: aJob(fullJob()),
    }),
  ),
  ...patchesWithUnknown.map(
    ([patch, because]): Outcome => ({
      ...invalid,
      title: title('updateJob, an unknown field and', patch),
      call: updateJob(0, { ...patch, colour: 'red' }),
      because: [...because, 'colour'].sort(),
      given: aJob(fullJob()),
    }),
  ),
  {
    ...invalid,
    title: "updateJob of another company's job, of which nothing is told",
    call: updateJob(0, { salary_max: 1, colour: 'red' }),
    because: ['colour'],
    given: (fixture) => aJob(fullJob())(fixture, fixture.stranger),
  },
  {
    ...invalid,
    title: 'updateJob of no job with an unknown field',
    call: updateJob(Number.MAX_SAFE_INTEGER, { salary_max: 1, colour: 'red' }),
    because: ['colour'],
  },
  {
    ...invalid,
    title: 'updateJob without a job',
    call: updateJob(0, undefined),
    because: ['request_body'],
    given: aJob(fullJob()),
  },
  ...queries.map(
    (query): Outcome => ({
      ...invalid,
      title: title('listJobs', query),
      call: listJobs(query),
      because: Object.keys(query).sort(),
    }),
  ),
  ...(['getAccount', 'listCategories', 'listRegions', 'listOptions'] as const).map(
    (operationId): Outcome => ({
      ...invalid,
      title: `${operationId} with a parameter that it lacks`,
      call: { operationId, query: { page: 1 } },
      because: ['page'],
    }),
  ),
  ...[getJob(0), withdrawJob(0)].map(
    (call): Outcome => ({
      ...invalid,
      title: `${call.operationId} with a parameter that it lacks`,
      call: { ...call, query: { verbose: 'x' } },
      because: ['verbose'],
      given: aJob(fullJob()),
    }),
  ),
]);

describe('an impossible id: 404 over REST, a wrong argument over MCP', () => {
  const never = [0, -1, 1.5, 'abc', '', '007', '1e3', '0x10', '%31', 'null', '__proto__', '9'.repeat(400)];
  for (const call of [getJob, withdrawJob, (id: unknown) => updateJob(id, { title: 'Pintor' })])
    it(call(0).operationId, async () => {
      const [rest, ...mcp] = (await allCallers()).map(({ caller }) => caller);
      for (const id of never) if (id !== '') expect((await rest?.run(call(id)))?.status, shown(id)).to.equal(404);
      for (const caller of mcp)
        for (const id of [...never, undefined, null, true, [], {}, '1']) {
          const refused = await caller.run(call(id));
          expect(refused, shown(id)).to.include({ status: 422, httpStatus: 200 });
          expect(reasonOf(refused), shown(id)).to.deep.equal(['id']);
        }
    });
});
