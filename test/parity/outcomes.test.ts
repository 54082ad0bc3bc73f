import { fieldHashes } from '../../src/domain/fingerprint.ts';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import type { JobStatus } from '../../src/operations/jobs/job.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { actionContext, db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { aJob, everyCall, onOneJob, withBody, writes } from './calls.ts';
import { describeOutcomes, type Fixture, type Outcome } from './same-outcome.ts';

type More = Omit<Outcome, 'title' | 'call' | 'status'>;
const outcome = (title: string, call: Call, status: number, more: More = {}): Outcome => ({
  title,
  call,
  status,
  ...more,
});
/** The same for each of the calls, whose names the title follows. */
const each = (calls: readonly Call[], title: string, status: number, more: More = {}): Outcome[] =>
  calls.map((call) => outcome(`${call.operationId} ${title}`, call, status, more));

const inStatus = (status: JobStatus) => async (fixture: Fixture) => {
  const made = await aJob()(fixture);
  await db().job.updateMany({ where: { companyId: fixture.acme.id }, data: { status } });
  return made;
};

const threeJobs = async (fixture: Fixture) => {
  for (const title of ['Um', 'Dois', 'Três']) await aJob({ ...minimalJob, title })(fixture);
  const last = await aJob({ ...fullJob(), title: 'Quatro' })(fixture);
  await (await fixture.open()).run(withdrawJob(last.id));
  return {};
};
const grant = (limit: number) => async (fixture: Fixture) => {
  await grantComplimentary(actionContext(), { companyId: fixture.acme.id, limit });
  if (limit > 0) await aJob()(fixture);
  return {};
};

const production = { environment: 'production' } as const;
const environments = ['sandbox', 'production'] as const;
const html = '<p onclick="x()">Olá <b>mundo</b><script>alert(1)</script></p>';
const create = createJob(minimalJob, 'k');
const createWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
const pages = [{}, { page: 2, per_page: 3 }, { page: 1_000_000 }, { status: 'inactive' }, { status: 'active' }];

describeOutcomes('200, 201 and 204 over both protocols', [
  ...each(everyCall.slice(0, 5), 'by a writer', 200),
  ...each(everyCall.slice(0, 5), 'by a reader in production', 200, { ...production, access: 'read' }),
  outcome('getAccount with a complimentary limit and a posting', { operationId: 'getAccount' }, 200, {
    ...production,
    company: { plan: null },
    given: grant(7),
  }),
  ...pages.map((query) =>
    outcome(`listJobs ${JSON.stringify(query)} of four`, listJobs(query), 200, { given: threeJobs }),
  ),
  ...environments.flatMap((environment) => [
    outcome(`createJob, minimal, ${environment}`, create, 201, { environment }),
    outcome(`createJob, every field, ${environment}`, createJob(fullJob(), 'k'), 201, { environment }),
    outcome(`createJob, auto-publish, ${environment}`, createJob(minimalJob, `${'a'.repeat(120)}A9._:-`), 201, {
      environment,
      company: { autoPublish: true },
    }),
  ]),
  outcome('createJob, sanitized', createWith({ body: html }), 201),
  outcome('createJob, nulls', createWith({ salary_min: null, valid_until: null, language_requirements: [] }), 201),
  outcome('createJob, cents', createWith({ salary_min: 0.07, salary_max: 99_999_999.99 }), 201),
  outcome('getJob', getJob(0), 200, { access: 'read', given: aJob(fullJob()) }),
  outcome('getJob, expired', getJob(0), 200, { ...production, given: inStatus('expired') }),
  outcome('updateJob of every field', updateJob(0, fullJob()), 200, { given: aJob() }),
  outcome('updateJob to null', updateJob(0, { requirements: null }), 200, { given: aJob(fullJob()) }),
  outcome('updateJob, sanitized', updateJob(0, { body: html }), 200, { given: aJob() }),
  ...(['pending', 'active', 'inactive', 'expired', 'denied'] as const).flatMap((status) => [
    outcome(`updateJob, ${status}`, updateJob(0, { title: 'Mudado' }), 200, { ...production, given: inStatus(status) }),
    outcome(`withdrawJob, ${status}`, withdrawJob(0), 204, { ...production, given: inStatus(status) }),
  ]),
]);

/** A create that has succeeded through the protocol under test, and what came after it. */
const created =
  (then: (fixture: Fixture, id: number) => Promise<unknown> = async () => {}) =>
  async (fixture: Fixture) => {
    const { body } = await (await fixture.open()).run(createJob(fullJob(), 'k'));
    await then(fixture, (body as { data: { id: number } }).data.id);
    return {};
  };
const remove = ({ acme, environment }: Fixture, id: number) =>
  removeJob(actionContext(), { companyId: acme.id, environment, jobId: BigInt(id) });
const conflict = { because: 'idempotency_key' } as const;
const gone = { because: 'job_removed' } as const;

/** JSON that the contract refuses. */
const notAllowed: readonly unknown[] = [
  { ...fullJob(), colour: 'red' },
  { ...fullJob(), title: 'a'.repeat(256) },
  { ...fullJob(), title: null, idempotency_key: 'k' },
  { ...fullJob(), title: undefined },
  JSON.parse('{"__proto__":{"title":"x"},"constructor":1,"toString":null}'),
  Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, 1])),
  { ['x'.repeat(100_000)]: 1 },
  ...[{}, [fullJob()], null, 7, 'x'],
];
const refusedToday = { ...fullJob(), title: 'a'.repeat(256), colour: 'red' };

/** The create's JSON was allowed when it was sent. */
const sentBefore = async ({ acme, environment }: Fixture) => {
  const where = { companyId: acme.id, environment };
  await db().idempotencyKey.updateMany({ where, data: { fieldHashes: fieldHashes(refusedToday) } });
};
const sentAndRemoved = (fixture: Fixture, id: number) => sentBefore(fixture).then(() => remove(fixture, id));
const wrongKey = ['Idempotency-Key', 'colour', 'title'];

// With JSON that the contract allows, first over one protocol and then over another: parity/idempotency.
describeOutcomes('createJob again with JSON that the contract does not allow, over both protocols', [
  ...notAllowed.map((job) =>
    outcome(`409 ${JSON.stringify(job).slice(0, 60)}`, createJob(job, 'k'), 409, { ...conflict, given: created() }),
  ),
  outcome('409 before 410', createJob({ ...fullJob(), colour: 'red' }, 'k'), 409, {
    ...conflict,
    given: created(remove),
  }),
  outcome('replay', createJob(refusedToday, 'k'), 200, { given: created(sentBefore) }),
  outcome('410', createJob(refusedToday, 'k'), 410, { ...gone, given: created(sentAndRemoved) }),
  outcome('422 without a job', createJob(undefined, 'k'), 422, { because: ['request_body'], given: created() }),
  outcome('422 with a malformed key', createJob(refusedToday, 'k k'), 422, { because: wrongKey, given: created() }),
]);

// What else is no credential: rest/authentication, over both protocols.
describeOutcomes('401 over both protocols', [
  ...each(everyCall, 'with a sandbox credential in production', 401, {
    because: 'credential',
    atGate: true,
    ...production,
    secret: ({ acme }) => acme.secret('sandbox', 'write'),
  }),
]);

const suspend = async ({ acme }: Fixture) => {
  await suspendCompany(actionContext(), { companyId: acme.id });
  return {};
};
const shut = { ...production, atGate: true } as const;

describeOutcomes('403 of the company over both protocols', [
  ...each(everyCall, 'without an eligible plan', 403, { ...shut, because: 'plan', company: { plan: 'Base' } }),
  ...each(everyCall, 'without approval', 403, { ...shut, because: 'approval', company: { approved: false } }),
  ...each(everyCall, 'of an unverified company', 403, {
    atGate: true,
    because: 'permission',
    company: { verified: false },
  }),
  ...each(everyCall, 'of a suspended company', 403, { ...shut, because: 'permission', given: suspend }),
]);

const only11 = async (fixture: Fixture) => {
  await setDistricts(actionContext(), { companyId: fixture.acme.id, districts: [11] });
  return {};
};
const usedUp = async ({ acme: { id: companyId } }: Fixture) => {
  const key = { allowance: 'sandbox', periodStart: new Date('1970-01-01T00:00:00Z') } as const;
  await db().postingUsage.createMany({ data: { companyId, ...key, used: 100 } });
  return {};
};
const inDistrict12 = updateJob(0, { district_id: 12 });

describeOutcomes('403 of the call over both protocols', [
  ...environments.flatMap((environment) =>
    each(writes, `by a reader, ${environment}`, 403, { environment, because: 'scope', access: 'read' }),
  ),
  outcome('createJob, sandbox full', create, 403, { because: 'quota', given: usedUp }),
  outcome('createJob, complimentary limit of 0', create, 403, {
    ...production,
    because: 'quota',
    company: { plan: null },
    given: grant(0),
  }),
  outcome('createJob in another district', create, 403, { ...production, because: 'permission', given: only11 }),
  outcome('createJob in another district, sandbox', create, 201, { given: only11 }),
  outcome('updateJob to another district', inDistrict12, 403, {
    ...production,
    because: 'permission',
    given: async (fixture) => ({ ...(await aJob()(fixture)), ...(await only11(fixture)) }),
  }),
]);

const missing = { because: 'job' } as const;
const ofStranger: Outcome['given'] = (fixture) => aJob()(fixture, fixture.stranger);
const ofProduction: Outcome['given'] = (fixture) => aJob()(fixture, fixture.acme, 'production');
const removed: Outcome['given'] = async (fixture) => {
  const { id } = await aJob()(fixture);
  await remove(fixture, id);
  return { id };
};

/** Wrong besides: an unknown parameter, a header, a body that is none or breaks one rule or many. */
const wrongBesides: readonly Call[] = [
  ...onOneJob.map((call) => ({ ...call, query: { verbose: 'x' } })),
  { ...withdrawJob(0), ifMatch: 'unquoted' },
  ...[{}, null, { status: 'active' }, { salary_min: 2, salary_max: 1 }].map((patch) => updateJob(0, patch)),
  updateJob(0, Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 1]))),
];

describeOutcomes('404 over both protocols', [
  ...each(wrongBesides, 'whatever else is wrong', 404, { ...missing, given: async () => ({ id: 2 ** 53 }) }),
  ...each(wrongBesides, "of another company's job, whatever else is wrong", 404, { ...missing, given: ofStranger }),
  ...[999_999_999, Number.MAX_SAFE_INTEGER, 2 ** 53].flatMap((id) =>
    each(onOneJob, `of ${id}`, 404, { ...missing, given: async () => ({ id }) }),
  ),
  ...each(onOneJob, "of another company's job", 404, { ...missing, given: ofStranger }),
  ...each(onOneJob, "of the other environment's job", 404, { ...missing, given: ofProduction }),
  ...each(onOneJob, 'of a removed job', 404, { ...missing, given: removed }),
]);

const changed = { because: 'changed' } as const;
/** A change and a withdrawal, each with this If-Match. */
const conditional = (ifMatch?: unknown): Call[] =>
  [updateJob(0, { title: 'Mudado' }), withdrawJob(0)].map((call) => ({ ...call, ifMatch }));

/** A job and the ETag that it has by the protocol under test. */
const withEtag = async (fixture: Fixture) => {
  const { id } = await aJob()(fixture);
  return { id, ifMatch: (await (await fixture.open()).run(getJob(id))).etag };
};
const thenChanged = async (fixture: Fixture) => {
  const read = await withEtag(fixture);
  await (await fixture.open()).run(updateJob(read.id, { requirements: 'Outros' }));
  return read;
};
const malformed = ['', 'none', 'W/*', '"a', '"a" "b"', '"a",', '*, "a"', `"${'a'.repeat(2999)}"`];
const succeeds = ({ body }: Call): number => (body ? 200 : 204);

describeOutcomes('If-Match over both protocols', [
  ...conditional().map((call) => outcome(`${call.operationId}, current`, call, succeeds(call), { given: withEtag })),
  ...conditional('*').map((call) => outcome(`${call.operationId}, any`, call, succeeds(call), { given: aJob() })),
  ...each(conditional(), 'of a job changed since', 412, { ...changed, given: thenChanged }),
  ...each(conditional('*'), "of another company's job", 404, { ...missing, given: ofStranger }),
  ...['"other"', 'W/"other"', '"a",,"b" , W/"c"'].flatMap((ifMatch) =>
    each(conditional(ifMatch), `with ${ifMatch}`, 412, { ...changed, given: aJob() }),
  ),
  ...malformed.flatMap((ifMatch) =>
    each(conditional(ifMatch), `malformed ${ifMatch.slice(0, 9)}`, 422, { because: ['If-Match'], given: aJob() }),
  ),
]);

const sending = (headers: Record<string, string>) => ({ atGate: true, given: async () => ({ headers }) });

describeOutcomes('400, 413 and 415 over both protocols', [
  ...each(everyCall, 'by plain http through a proxy', 400, {
    because: 'https',
    ...sending({ 'X-Forwarded-Proto': 'http' }),
  }),
  ...withBody.map((call) => {
    const large = { ...call, body: { ...(call.body as object), requirements: 'x'.repeat(131_072) } };
    return outcome(`${call.operationId}, a body of more than 128 KiB`, large, 413, {
      because: 'body_size',
      atGate: true,
    });
  }),
  ...['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'].flatMap((type) =>
    each(withBody, `as ${type}`, 415, { because: 'media_type', ...sending({ 'Content-Type': type }) }),
  ),
  ...each(withBody, 'in gzip', 415, { because: 'content_encoding', ...sending({ 'Content-Encoding': 'gzip' }) }),
]);

const simulating = (value: string) => ({ given: async () => ({ headers: { 'X-Simulate': value } }) });
const readAndCreate = [listJobs(), create];

describeOutcomes('X-Simulate over both protocols', [
  ...[429, 503].flatMap((status) =>
    each(readAndCreate, `simulates ${status}`, status, { because: 'simulated', ...simulating(String(status)) }),
  ),
  ...['500', '', 'LOST-RESPONSE', '429, 503', 'toString', '__proto__'].flatMap((value) =>
    each(readAndCreate, `simulates "${value}"`, 422, { because: ['X-Simulate'], ...simulating(value) }),
  ),
  ...['429', '503', 'lost-response', 'nonsense', ''].map((value) =>
    outcome(`createJob in production ignores "${value}"`, create, 201, { ...production, ...simulating(value) }),
  ),
]);
