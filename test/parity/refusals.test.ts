import type { Server } from 'node:http';
import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { endMaintenance, startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { errorExamples } from '../helper/contract-examples.ts';
import { actionContext, clock, db, newCompany, server, startApp, startWholeApp } from '../helper/fixtures.ts';
import { afterTheGate, heldDatabase } from '../helper/gated-database.ts';
import {
  type Call,
  createJob,
  getJob,
  listJobs,
  restCaller,
  updateJob,
  withdrawJob,
} from '../helper/protocol-callers.ts';
import { ask, parseAnswer, raw } from '../helper/raw-http.ts';
import { inDays, minimalJob } from '../helper/sample-jobs.ts';
import { absentDatabase } from '../helper/test-database.ts';
import { times, until } from '../helper/times.ts';
import { comparable, describeOutcomes, type Fixture, type Outcome } from './same-outcome.ts';
import {
  account,
  aJob,
  changeTo,
  create,
  each,
  everyCall,
  grant,
  ofPlan,
  ofStranger,
  only,
  onOneJob,
  outcome,
  production,
  remove,
  sending,
  withBody,
  writes,
} from './situations.ts';

/** By title. */
const refusals: Record<string, readonly Outcome[]> = {};

const gate = { atGate: true } as const;
const sandboxSecret: Partial<Outcome> = { ...production, secret: ({ acme }) => acme.secret('sandbox', 'write') };
const token = (secret: string, example: string): Partial<Outcome> => ({ ...gate, example, secret: async () => secret });

const knownList = { operationId: 'listOptions', headers: { 'If-None-Match': '*' } } as const;

// rest/authentication.test.ts has the other invalid credentials.
refusals['401'] = [
  ...each(everyCall, 'with a sandbox credential in production', 401, gate, sandboxSecret, {
    example: 'CredentialOfTheSandbox',
  }),
  outcome('an unknown token', account, 401, token('vaga_test_unknown', 'CredentialRefused')),
  outcome('a list that is known', knownList, 401, token('vaga_test_unknown', 'CredentialRefused')),
  outcome('a token of production', account, 401, token('vaga_live_unknown', 'CredentialOfTheOtherEnvironment')),
];

const suspend = async ({ acme }: Fixture) => {
  await suspendCompany(actionContext(), { companyId: acme.id });
  return {};
};
const endSubscription = async ({ acme: { id: companyId } }: Fixture) => {
  await db().subscription.update({ where: { companyId }, data: { endsAt: clock.now() } });
  return {};
};
const byPlan = { ...gate, example: 'PlanNotEligible' };
const byApproval = { ...production, ...gate, company: { approved: false }, example: 'ApprovalMissing' };
const lastGrant = { given: grant(7, new Date(`${inDays(-1)}T00:00:00Z`)) };

refusals['403 of the company'] = [
  ...each(everyCall, 'without an eligible plan', 403, byPlan, ofPlan('Base')),
  ...['Gratuito', null].map((plan) => outcome(`getAccount of ${plan}`, account, 403, byPlan, ofPlan(plan))),
  outcome('getAccount after the subscription', account, 403, byPlan, production, { given: endSubscription }),
  outcome('getAccount after the last day of a grant', account, 403, byPlan, ofPlan(null), lastGrant),
  ...each(everyCall, 'without approval', 403, byApproval),
  ...each(everyCall, 'of an unverified company', 403, gate, { example: 'SandboxClosed', company: { verified: false } }),
  ...each(everyCall, 'of a suspended company', 403, gate, production, { example: 'PermissionMissing', given: suspend }),
];

const useUp = async ({ acme: { id: companyId } }: Fixture) => {
  const key = { allowance: 'sandbox', periodStart: new Date('1970-01-01T00:00:00Z') } as const;
  await db().postingUsage.createMany({ data: { companyId, ...key, used: 100 } });
  return {};
};
const elsewhere = { district_id: 12 };
const only11 = { ...production, given: only(11) };
const challenge = 'Bearer realm="vaga", error="insufficient_scope", scope="jobs:write"';
const byScope = { access: 'read', example: 'ScopeMissing', headers: { 'www-authenticate': challenge } } as const;
/** Has another fault in addition. */
const wrongWrites = [createJob([], 'k k'), { ...updateJob(1, {}), ifMatch: 'unquoted' }];

refusals['403 of the call'] = [
  ...each([...writes, ...wrongWrites], 'by a reader', 403, byScope),
  ...each(writes, 'by a reader in production', 403, byScope, production),
  outcome('createJob, sandbox full', create, 403, { example: 'SandboxFull', given: useUp }),
  outcome('createJob, no posting granted', create, 403, ofPlan(null), { example: 'QuotaUsedUp', given: grant(0) }),
  outcome('createJob in another district', create, 403, only11, { example: 'RegionNotPermitted' }),
  outcome('updateJob to another district', changeTo(elsewhere), 403, only11, { example: 'RegionNotPermitted' }),
];

const missing = { example: 'NoSuchJob' };
const ofProduction = (fixture: Fixture) => aJob()(fixture, fixture.acme, 'production');
const removed = async (fixture: Fixture) => {
  const made = await aJob()(fixture);
  await remove(fixture, made.id);
  return made;
};
const ofId = (id: number) => ({ given: { id } });

/** Additional faults: an unknown parameter, a header, a body that is not JSON or breaks one rule or many. */
const wrongBesides: readonly Call[] = [
  ...onOneJob.map((call) => ({ ...call, query: { verbose: 'x' } })),
  { ...withdrawJob(0), ifMatch: 'unquoted' },
  ...[{}, null, { status: 'active' }, { salary_min: 2, salary_max: 1 }].map(changeTo),
  changeTo(Object.fromEntries(times(500, (n) => [`k${n}`, 1]))),
];

refusals['404'] = [
  ...each(wrongBesides, 'whatever else is wrong', 404, missing, ofId(2 ** 53)),
  ...each(wrongBesides, "of another company's job, whatever else is wrong", 404, missing, { given: ofStranger }),
  ...[999_999_999, Number.MAX_SAFE_INTEGER, 2 ** 53, 1e300].flatMap((id) =>
    each(onOneJob, `of ${id}`, 404, missing, ofId(id)),
  ),
  ...each(onOneJob, "of another company's job", 404, missing, { given: ofStranger }),
  ...each(onOneJob, "of the other environment's job", 404, missing, { given: ofProduction }),
  ...each(onOneJob, 'of a removed job', 404, missing, { given: removed }),
];

const plain = sending({ 'X-Forwarded-Proto': 'http' });
const large = { ...minimalJob, requirements: 'x'.repeat(131_072) };
const tooLarge = withBody.map((call) => ({ ...call, body: large }));
const types =
  'text/plain text/json application/x-www-form-urlencoded application/jsonp application/vnd.api+json nonsense';

refusals['400, 413 and 415'] = [
  ...each(everyCall, 'by plain http through a proxy', 400, gate, plain, { example: 'HttpsRequired' }),
  ...each(tooLarge, 'of more than 128 KiB', 413, gate, { example: 'BodyTooLarge' }),
  ...types
    .split(' ')
    .flatMap((type) =>
      each(withBody, `as ${type}`, 415, gate, sending({ 'Content-Type': type }), { example: 'NotJson' }),
    ),
  ...['latin1', 'x'].flatMap((charset) =>
    each(withBody, `in ${charset}`, 415, gate, sending({ 'Content-Type': `application/json; charset=${charset}` }), {
      example: 'NotUtf8',
    }),
  ),
  ...['gzip', 'br', 'deflate'].flatMap((coding) =>
    each(withBody, `in ${coding}`, 415, gate, sending({ 'Content-Encoding': coding }), { example: 'CompressedBody' }),
  ),
];

const rule = { salary_min: 2, salary_max: 1 };
const ifOther = (fields: object) => ({ ...changeTo(fields), ifMatch: '"other"' });
refusals['several errors at once'] = [
  outcome('the schema before If-Match', ifOther({ colour: 'red' }), 422, only11, { because: ['colour'] }),
  outcome('If-Match before a rule', ifOther({ ...rule, ...elsewhere }), 412, only11, { because: 'changed' }),
  outcome('a rule before a district', changeTo({ ...rule, ...elsewhere }), 422, only11, { because: ['salary_max'] }),
];

const simulating = (value: string) => sending({ 'X-Simulate': value });
const readAndCreate = [listJobs(), create];
const anyCalls = [...readAndCreate, createJob([], 'k k')];
const simulated = { shows: { reason: 'simulated', retry_after_seconds: 1 }, headers: { 'retry-after': '1' } };
const ignored = { ...production, headers: { 'x-simulate-ignored': 'production' } };

// Lost responses: rest/simulate.
refusals['X-Simulate'] = [
  ...each(anyCalls, 'simulates 429', 429, gate, simulated, simulating('429'), { example: 'SimulatedLimit' }),
  ...each(anyCalls, 'simulates 503', 503, gate, simulated, simulating('503'), { example: 'SimulatedOutage' }),
  ...['500', '', 'LOST-RESPONSE', '429, 503', 'toString', '__proto__'].flatMap((value) =>
    each(readAndCreate, `simulates "${value}"`, 422, simulating(value), { because: ['X-Simulate'] }),
  ),
  outcome('422 as usual', createJob([], 'k'), 422, simulating('lost-response')),
  outcome('403 as usual', create, 403, simulating('lost-response'), { access: 'read' }),
  outcome('404 as usual', getJob(1_000_000), 404, simulating('lost-response')),
  outcome('401 as usual', create, 401, simulating('503'), token('vaga_test_unknown', 'CredentialRefused')),
  ...['429', '503', 'lost-response', 'nonsense', ''].map((value) =>
    outcome(`createJob in production ignores "${value}"`, create, 201, simulating(value), ignored),
  ),
];

/** Another create with the key succeeded first, and then its job was removed. */
const keyUsed = (removes: boolean) => async (fixture: Fixture) => {
  const { body } = await (await fixture.open()).run(create);
  if (removes) await remove(fixture, (body as { data: { id: number } }).data.id);
  return {};
};
const otherJob = { ...minimalJob, title: 'Outro', salary_max: 2000 };
const invalidJob = {
  ...{ ...minimalJob, title: undefined, application_method: 'email', salary_min: 1500, salary_max: 1200 },
  ...{ education_details: ['a', 'b', 'c', 'x'.repeat(501)], colour: 'red' },
};
const salaries = { given: aJob({ ...minimalJob, salary_min: 1200, salary_max: 1600 }) };
/** One example of each kind. parity/idempotency, parity/outcomes and parity/invalid have the others. */
const examples: readonly (readonly [example: string, call: Call, status: number, given?: Partial<Outcome>])[] = [
  ['KeyUsedForOtherJson', createJob(otherJob, 'k'), 409, { given: keyUsed(false) }],
  ['KeyOfRemovedJobUsedForOtherJson', createJob({ ...minimalJob, title: 'Outro' }, 'k'), 409, { given: keyUsed(true) }],
  ['KeyOfRemovedJob', create, 410, { given: keyUsed(true) }],
  ['JobChanged', { ...withdrawJob(0), ifMatch: '"1/2026-11-20T14:02:09.077Z/active/Vaga"' }, 412, salaries],
  ...['W/"1/2026-11-20T14:02:09.077Z/active/Vaga"', '"1/2026-11-20T14:02:09.077Z/active/Vaga-gzip"', '"other"'].map(
    (ifMatch) => ['NoTagOfJob', { ...withdrawJob(0), ifMatch }, 412, salaries] as const,
  ),
  ['UnknownParameter', { ...account, query: { fields: 'plan' } }, 422],
  ['InvalidParameters', listJobs({ per_page: 500, status: 'denied' }), 422],
  ['InvalidFields', createJob(invalidJob, 'k'), 422],
  ['MissingIdempotencyKey', createJob(minimalJob, undefined), 422],
  ['InvalidMergedJob', changeTo({ salary_min: 2000 }), 422, salaries],
  ['EmptyPatch', changeTo({}), 422, salaries],
];

refusals['409, 410, 412 and 422'] = examples.map(([example, call, status, given]) =>
  outcome(example, call, status, { example }, given),
);

/** Starts an app for the first outcome that needs it; all later ones share it. */
function lazily(start: () => Promise<Server>): () => Promise<Server> {
  let started: Promise<Server> | undefined;
  return () => {
    started ??= start();
    return started;
  };
}

/** An app that allows one request per company, and has already allowed it. */
const oneAMinute = lazily(() => startApp({ REQUESTS_PER_MINUTE: '1' }));
const spent = async ({ acme, environment }: Fixture) => {
  const at = await oneAMinute();
  await restCaller(at, environment, await acme.secret(environment, 'read')).run(listJobs());
  return at;
};
/** An app that allows no request from our address. */
const closedToUs = lazily(async () => {
  const at = await startApp({ IP_REQUESTS_PER_MINUTE: '1' });
  await restCaller(at, 'sandbox', undefined).run(listJobs());
  return at;
});
const limited = { ...gate, example: 'CompanyLimitReached', at: spent };
const wrongType = sending({ 'Content-Type': 'text/plain' });

refusals['429'] = [
  ...each(everyCall, 'past the limit', 429, limited),
  ...each(everyCall, 'past the limit, production', 429, limited, production),
  outcome('before 403 scope', create, 429, limited, { access: 'read' }),
  outcome('before 422', createJob([], 'k'), 429, limited),
  outcome('before X-Simulate', listJobs(), 429, limited, simulating('503')),
  ...each(withBody, 'before 415', 429, limited, wrongType),
  ...each(tooLarge, 'before 413', 429, limited),
  outcome('the address before 401', account, 429, token('x', 'AddressLimitReached'), { at: closedToUs }),
];

const unreachable = lazily(() => startApp({}, { db: absentDatabase() }));
const lost = lazily(() => {
  const gone = absentDatabase();
  return startApp({}, { db: afterTheGate(() => gone.$queryRaw`SELECT 1`) });
});
const faulty = lazily(() => {
  const fails = () => Promise.reject(new Error('unforeseen'));
  return startApp({}, { db: afterTheGate(fails) });
});
const full = new Sanitizer({ pendingMax: 0 });
const slow = new Sanitizer({ timeoutMs: 0 });
after(() => Promise.all([full.close(), slow.close()]));
const busy = lazily(() => startApp({}, { sanitizer: full }));
const late = lazily(() => startApp({}, { sanitizer: slow }));
/** Others change each job between the service's read and its write. */
const contended = lazily(() => {
  const changed = [{ refusals: ['changed'], job: null }];
  const gated = afterTheGate(async (query, text) => (text.includes('try_change_job') ? changed : query()));
  return startApp({}, { db: gated });
});
const draining = lazily(async () => {
  const sanitizer = new Sanitizer();
  await sanitizer.close();
  return startApp({}, { sanitizer });
});

const away = { example: 'DatabaseUnavailable' };
const markup = { body: '<p>Olá</p>' };
// The values of listOptions are those of the contract.
const askingTheDatabase = everyCall.filter(({ operationId }) => operationId !== 'listOptions');
const createMarkup = createJob({ ...minimalJob, ...markup }, 'k');
const createLongMarkup = createJob({ ...minimalJob, body: '<p>Olá</p>'.repeat(500) }, 'k');

refusals['503'] = [
  ...each(everyCall, 'without a database', 503, away, gate, { at: unreachable }),
  ...each(askingTheDatabase, 'when the database is lost', 503, away, { at: lost }),
  outcome('createJob, stopping', createMarkup, 503, { example: 'ShuttingDown', at: draining }),
  outcome('updateJob, stopping', changeTo(markup), 503, { example: 'ShuttingDown', at: draining, given: aJob() }),
  outcome('createJob, sanitizer busy', createMarkup, 503, { example: 'SanitizerBusy', at: busy }),
  outcome('createJob, sanitizer slow', createLongMarkup, 503, { example: 'BodyNotChecked', at: late }),
  outcome('updateJob among many', changeTo({ title: 'Outra' }), 503, {
    example: 'JobContended',
    at: contended,
    given: aJob(),
  }),
];

for (const [title, outcomes] of Object.entries(refusals)) describeOutcomes(`${title} over both protocols`, outcomes);

/** Refusals that are no call of an operation, or have no status that clients may see. */
const others: Readonly<Record<string, () => Promise<{ readonly status: number; readonly body: unknown }>>> = {
  MalformedRequest: async () => parseAnswer(await raw(server(), 'GET /v1/account HTTP/1.1\r\nno header\r\n\r\n')),
  NoSuchPath: async () => (await (await newCompany()).reader()).get('/nothing'),
  MalformedJson: async () =>
    (await (await newCompany()).writer()).create(
      '{\n  "title": "Eletricista",\n  "body": "Obras",\n  "district_id": =\n}',
    ),
  InMaintenance: async () => {
    const reader = await (await newCompany()).reader('sandbox', await startApp());
    await startMaintenance(actionContext(), { retryAfter: 300 });
    return reader.get('/account').finally(() => endMaintenance(actionContext(), {}));
  },
  TooMuchAtOnce: async () => {
    const held = heldDatabase();
    const { server: crowded, app } = await startWholeApp({ MAX_IN_FLIGHT: '1' }, { db: held.db });
    const company = await newCompany();
    const client = await company.writer('sandbox', crowded);
    const working = client.get('/jobs');
    await until(() => app.stats().inFlight === 1);
    const refused = await client.create(minimalJob);
    held.release();
    expect((await working).status).to.equal(200);
    return refused;
  },
  InternalFault: async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    return ask(await faulty(), 'GET /sandbox/v1/account', 'Host: 127.0.0.1', `Authorization: Bearer ${secret}`);
  },
};

describe('the examples of errors in the contract', () => {
  const named = Object.values(refusals).flatMap((outcomes) => outcomes.flatMap(({ example }) => example ?? []));
  const known = errorExamples();

  it('are all compared with real answers', () => {
    expect(known.map(([name]) => name)).to.have.members([...new Set(named), ...Object.keys(others)]);
  });

  for (const [name, elicit] of Object.entries(others))
    it(`${name} equals the service’s answer`, async () => {
      const { status, body } = await elicit();
      expect(comparable(body)).to.deep.equal(comparable(Object.fromEntries(known)[name]));
      expect(body).to.have.nested.property('error.status', status);
    });
});
