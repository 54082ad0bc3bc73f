import type { Prisma } from '../../generated/prisma/client.ts';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { actionContext, clock, db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';
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

/** A job, then with these columns. */
const stored =
  (data: Prisma.JobUpdateManyMutationInput, body: object = minimalJob) =>
  async (fixture: Fixture) => {
    const made = await aJob(body)(fixture);
    await db().job.updateMany({ where: { companyId: fixture.acme.id }, data });
    return made;
  };
const past = { status: 'active', validUntil: new Date('2020-01-01') } as const;

const fourJobs = async (fixture: Fixture) => {
  for (const title of ['Um', 'Dois', 'Três']) await aJob({ ...minimalJob, title })(fixture);
  const { id } = await aJob({ ...fullJob(), title: 'Quatro' })(fixture);
  await (await fixture.open()).run(withdrawJob(id));
  return {};
};
/** Five jobs, of which one is withdrawn and one removed. */
const oneWithdrawnAndOneRemoved = async (fixture: Fixture) => {
  await remove(fixture, (await aJob()(fixture)).id);
  return fourJobs(fixture);
};
const remove = ({ acme, environment }: Fixture, id: number) =>
  removeJob(actionContext(), { companyId: acme.id, environment, jobId: BigInt(id) });
const grant =
  (limit: number, expiresOn: Date | null = null) =>
  async ({ acme: { id: companyId } }: Fixture) => {
    await grantComplimentary(actionContext(), { companyId, limit });
    if (expiresOn) await db().complimentaryGrant.update({ where: { companyId }, data: { expiresOn } });
    return {};
  };
const only = (district: number) => async (fixture: Fixture) => {
  const made = await aJob()(fixture);
  await setDistricts(actionContext(), { companyId: fixture.acme.id, districts: [district] });
  return made;
};

const production = { environment: 'production' } as const;
const environments = ['sandbox', 'production'] as const;
const account = { operationId: 'getAccount' } as const;
const html = '<p onclick="x()">Olá <b>mundo</b><script>alert(1)</script></p>';
const sanitized = '<p>Olá <b>mundo</b></p>';
const create = createJob(minimalJob, 'k');
const createWith = (fields: object): Call => createJob({ ...minimalJob, ...fields }, 'k');
const changeTo = (fields: object): Call => updateJob(0, fields);
/** The statuses of a job before a change, after it, and after it if the company may publish. */
const statuses = [
  ['active', 'pending', 'active'],
  ['pending', 'pending', 'pending'],
  ['inactive', 'inactive', 'inactive'],
  ['expired', 'expired', 'expired'],
  ['denied', 'pending', 'pending'],
] as const;
const published = { ...production, company: { autoPublish: true } };
const asShown = { salary_min: '1200.50', salary_max: '1500.00' };
const asCreated = {
  ...Object.fromEntries(Object.keys(fullJob()).map((field) => [field, null])),
  ...{ ...minimalJob, company_name: 'Oficina Exemplo', is_anonymous: false, salary_negotiable: false },
  ...{ status: 'pending', is_active: false },
};
const pages = [{}, { page: 2, per_page: 3 }, { page: 1_000_000 }, { status: 'inactive' }, { status: 'active' }];
const nothing = { changesNothing: true };
const cents: readonly (readonly [sent: number, shown: string])[] = [
  [99_999_999.99, '99999999.99'],
  [99_999_998.75 + 1e-8, '99999998.75'],
  [33_333_333.33 - 1e-8, '33333333.33'],
  [1250.500_000_01, '1250.50'],
  [1e-8, '0.00'],
  [-0, '0.00'],
];

describeOutcomes('200, 201 and 204 over both protocols', [
  ...each(everyCall.slice(0, 5), 'by a writer', 200, nothing),
  ...each(everyCall.slice(0, 5), 'by a reader in production', 200, { ...production, access: 'read' }),
  outcome('getAccount with a complimentary limit and a posting', account, 200, {
    ...production,
    company: { plan: null },
    given: (fixture) => grant(7)(fixture).then(() => aJob()(fixture)),
    shows: { access_type: 'complimentary', plan: null, 'jobs.limit': 7, 'jobs.used': 1, 'jobs.remaining': 6 },
  }),
  outcome('getAccount without a limit, after a withdrawal and a removal', account, 200, {
    ...production,
    given: oneWithdrawnAndOneRemoved,
    shows: { access_type: 'subscription', 'jobs.limit': -1, 'jobs.used': 5, 'jobs.remaining': -1 },
  }),
  ...['Pro', 'VIP'].map((plan) => outcome(`getAccount of ${plan}`, account, 200, { ...production, company: { plan } })),
  ...['Base', 'Gratuito', null].map((plan) =>
    outcome(`getAccount of ${plan}, sandbox`, account, 200, { company: { plan }, shows: { plan, 'jobs.limit': 100 } }),
  ),
  ...pages.map((query) =>
    outcome(`listJobs ${JSON.stringify(query)} of four`, listJobs(query), 200, { given: fourJobs }),
  ),
  ...environments.flatMap((environment) => {
    return [
      outcome(`createJob, minimal, ${environment}`, create, 201, { environment, shows: asCreated }),
      outcome(`createJob, every field, ${environment}`, createJob(fullJob(), 'k'), 201, {
        environment,
        shows: { ...fullJob(), ...asShown },
      }),
      outcome(`createJob, auto-publish, ${environment}`, createJob(minimalJob, `${'a'.repeat(120)}A9._:-`), 201, {
        environment,
        company: { autoPublish: true },
        shows: environment === 'production' ? { status: 'active', is_active: true } : asCreated,
      }),
    ];
  }),
  outcome('createJob, sanitized', createWith({ body: html }), 201, { shows: { body: sanitized } }),
  outcome('createJob, nulls', createWith({ salary_min: null, valid_until: null, language_requirements: [] }), 201, {
    shows: { salary_min: null, valid_until: null, language_requirements: [] },
  }),
  ...cents.map(([salary_max, shown]) =>
    outcome(`createJob, ${salary_max} EUR`, createWith({ salary_max }), 201, { shows: { salary_max: shown } }),
  ),
  outcome('createJob, salaries of the same cent', createWith({ salary_min: 0.1 + 0.2, salary_max: 0.3 }), 201, {
    shows: { salary_min: '0.30', salary_max: '0.30' },
  }),
  outcome('getJob', getJob(0), 200, { access: 'read', given: aJob(fullJob()) }),
  outcome('getJob, past its last day', getJob(0), 200, {
    ...production,
    given: stored(past),
    shows: { status: 'expired', is_active: false },
  }),
  outcome('getJob, anonymous', getJob(0), 200, {
    given: stored({ isAnonymous: true }),
    shows: { company_name: null, is_anonymous: true },
  }),
  outcome('updateJob of every field', updateJob(0, fullJob()), 200, { given: aJob() }),
  outcome('updateJob to null and to nothing', changeTo({ requirements: null, language_requirements: [] }), 200, {
    given: aJob(fullJob()),
    shows: { ...fullJob(), ...asShown, requirements: null, language_requirements: [] },
  }),
  outcome('updateJob, sanitized', changeTo({ body: html }), 200, { given: aJob(), shows: { body: sanitized } }),
  ...[fullJob(), { salary_min: 1200.5 + 1e-8 }, { body: `${fullJob().body}<script></script>` }].map((fields) =>
    outcome(`updateJob to what it is: ${Object.keys(fields)}`, changeTo(fields), 200, {
      ...nothing,
      ...published,
      given: aJob(fullJob()),
    }),
  ),
  outcome('updateJob to what it is, past its last day', changeTo({ title: minimalJob.title }), 200, {
    ...nothing,
    ...published,
    given: stored(past),
    shows: { status: 'expired' },
  }),
  ...statuses.flatMap(([status, changed, unreviewed]) => {
    const given = stored({ status });
    return [
      outcome(`updateJob, ${status}`, changeTo({ title: 'Mudado' }), 200, {
        ...production,
        given,
        shows: { title: 'Mudado', status: changed },
      }),
      outcome(`updateJob, ${status}, auto-publish`, changeTo({ title: 'Mudado' }), 200, {
        ...published,
        given,
        shows: { title: 'Mudado', status: unreviewed },
      }),
      outcome(`withdrawJob, ${status}`, withdrawJob(0), 204, {
        ...production,
        given,
        shows: { status: 'inactive', is_active: false },
        changesNothing: status === 'inactive',
      }),
    ];
  }),
  outcome('updateJob of the last day when it is past', changeTo({ valid_until: inDays(9) }), 200, {
    ...published,
    given: stored(past),
    shows: { status: 'expired', valid_until: inDays(9) },
  }),
  ...[12, minimalJob.district_id].map((district_id) =>
    outcome(`updateJob in a district to ${district_id}, which is allowed or its own`, changeTo({ district_id }), 200, {
      ...production,
      given: only(12),
    }),
  ),
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

const endsNow = async ({ acme: { id: companyId } }: Fixture) => {
  await db().subscription.update({ where: { companyId }, data: { endsAt: clock.now() } });
  return {};
};

describeOutcomes('403 of the company over both protocols', [
  ...each(everyCall, 'without an eligible plan', 403, { ...shut, because: 'plan', company: { plan: 'Base' } }),
  ...['Gratuito', null].map((plan) =>
    outcome(`getAccount of ${plan}`, account, 403, { ...shut, because: 'plan', company: { plan } }),
  ),
  outcome('getAccount after the subscription', account, 403, { ...shut, because: 'plan', given: endsNow }),
  outcome('getAccount after the last day of a grant', account, 403, {
    ...shut,
    because: 'plan',
    company: { plan: null },
    given: grant(7, new Date(`${inDays(-1)}T00:00:00Z`)),
  }),
  ...each(everyCall, 'without approval', 403, { ...shut, because: 'approval', company: { approved: false } }),
  ...each(everyCall, 'of an unverified company', 403, {
    atGate: true,
    because: 'permission',
    company: { verified: false },
  }),
  ...each(everyCall, 'of a suspended company', 403, { ...shut, because: 'permission', given: suspend }),
]);

const usedUp = async ({ acme: { id: companyId } }: Fixture) => {
  const key = { allowance: 'sandbox', periodStart: new Date('1970-01-01T00:00:00Z') } as const;
  await db().postingUsage.createMany({ data: { companyId, ...key, used: 100 } });
  return {};
};
const elsewhere = { district_id: 12 };
const challenge = 'Bearer realm="vaga", error="insufficient_scope", scope="jobs:write"';

describeOutcomes('403 of the call over both protocols', [
  ...environments.flatMap((environment) =>
    each(
      [...writes, createJob([], 'k k'), { ...updateJob(1, {}), ifMatch: 'unquoted' }],
      `by a reader, ${environment}`,
      403,
      {
        environment,
        because: 'scope',
        access: 'read',
        shows: { required_scope: 'jobs:write' },
        headers: { 'www-authenticate': challenge },
      },
    ),
  ),
  outcome('createJob, sandbox full', create, 403, { because: 'quota', given: usedUp }),
  outcome('createJob, complimentary limit of 0', create, 403, {
    ...production,
    because: 'quota',
    company: { plan: null },
    given: grant(0),
  }),
  outcome('createJob in another district', create, 403, { ...production, because: 'permission', given: only(11) }),
  outcome('createJob in another district, sandbox', create, 201, { given: only(11) }),
  outcome('updateJob to another district', changeTo(elsewhere), 403, {
    ...production,
    because: 'permission',
    given: only(11),
  }),
  outcome('updateJob to another district, sandbox', changeTo(elsewhere), 200, { given: only(11) }),
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
  [changeTo({ title: 'Mudado' }), withdrawJob(0)].map((call) => ({ ...call, ifMatch }));
const succeeds = ({ body }: Call): number => (body ? 200 : 204);

/** The ETag of the answer to one of these calls, and then something else. */
const withEtag =
  (callOf: (id: number) => Call = getJob, then: (fixture: Fixture, id: number) => Promise<unknown> = async () => {}) =>
  async (fixture: Fixture) => {
    const caller = await fixture.open();
    const { body } = await caller.run(create);
    const { id } = (body as { data: { id: number } }).data;
    const { etag } = await caller.run(callOf(id));
    await then(fixture, id);
    return { id, ifMatch: `"other", ${etag}` };
  };
const jobsOf = ({ acme }: Fixture) => ({ where: { companyId: acme.id } });
/** What makes another version of a job. */
const versions: Readonly<Record<string, (fixture: Fixture, id: number) => Promise<unknown>>> = {
  changed: async ({ open }, id) => (await open()).run(updateJob(id, { requirements: 'Outros' })),
  'past its last day': (fixture) => db().job.updateMany({ ...jobsOf(fixture), data: past }),
  'of a company with another name': ({ acme }) =>
    db().company.update({ where: { id: acme.id }, data: { name: 'Oficina Nova' } }),
};
const another = async ({ open }: Fixture) => ({ ifMatch: (await (await open()).run(createJob(minimalJob, 'l'))).etag });
const malformed = ['', 'none', 'W/*', '"a', '"a" "b"', '"a",', '*, "a"', `"${'a'.repeat(2999)}"`];

describeOutcomes('If-Match over both protocols', [
  ...[getJob, () => create, (id: number) => updateJob(id, { title: minimalJob.title })].flatMap((callOf) =>
    conditional().map((call) =>
      outcome(`${call.operationId} with the ETag of ${callOf(0).operationId}`, call, succeeds(call), {
        given: withEtag(callOf),
      }),
    ),
  ),
  ...conditional('*').map((call) => outcome(`${call.operationId}, any`, call, succeeds(call), { given: aJob() })),
  ...Object.entries(versions).flatMap(([version, then]) =>
    each(conditional(), `of a job ${version}`, 412, { ...production, ...changed, given: withEtag(getJob, then) }),
  ),
  ...each(conditional(), 'with the ETag of an equal job', 412, {
    ...changed,
    given: async (fixture) => ({ ...(await aJob()(fixture)), ...(await another(fixture)) }),
  }),
  ...each(conditional('*'), "of another company's job", 404, { ...missing, given: ofStranger }),
  ...['"other"', 'W/"other"', '"a",,"b" , W/"c"'].flatMap((ifMatch) =>
    each(conditional(ifMatch), `with ${ifMatch}`, 412, { ...changed, given: aJob() }),
  ),
  ...malformed.flatMap((ifMatch) =>
    each(conditional(ifMatch), `malformed ${ifMatch.slice(0, 9)}`, 422, { because: ['If-Match'], given: aJob() }),
  ),
  outcome('withdrawJob of an inactive job', { ...withdrawJob(0), ifMatch: '"other"' }, 204, {
    ...nothing,
    given: stored({ status: 'inactive' }),
  }),
]);

const rule = { salary_min: 2, salary_max: 1 };
const inOrder: readonly (readonly [fields: object, ifMatch: string, status: number, because: string | string[]])[] = [
  [{ colour: 'red' }, '"other"', 422, ['colour']],
  [{ ...rule, ...elsewhere }, '"other"', 412, 'changed'],
  [{ ...rule, ...elsewhere }, '*', 422, ['salary_max']],
];

describeOutcomes(
  'several errors at once: 422 of the request, 412, 422 of the job, 403',
  inOrder.map(([fields, ifMatch, status, because]) => {
    const more = { ...production, because, given: only(11) };
    return outcome(`${JSON.stringify(fields)} if ${ifMatch}`, { ...changeTo(fields), ifMatch }, status, more);
  }),
);

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

// Lost responses: rest/simulate.
describeOutcomes('X-Simulate over both protocols', [
  ...[429, 503].flatMap((status) =>
    each([...readAndCreate, createJob([], 'k k')], `simulates ${status}`, status, {
      because: 'simulated',
      shows: { retry_after_seconds: 1 },
      headers: { 'retry-after': '1' },
      ...simulating(String(status)),
    }),
  ),
  ...['500', '', 'LOST-RESPONSE', '429, 503', 'toString', '__proto__'].flatMap((value) =>
    each(readAndCreate, `simulates "${value}"`, 422, { because: ['X-Simulate'], ...simulating(value) }),
  ),
  outcome('422 as usual', createJob([], 'k'), 422, simulating('lost-response')),
  outcome('403 as usual', create, 403, { access: 'read', ...simulating('lost-response') }),
  outcome('404 as usual', getJob(1_000_000), 404, simulating('lost-response')),
  outcome('401 as usual', create, 401, { atGate: true, secret: async () => 'vaga_test_x', ...simulating('503') }),
  ...['429', '503', 'lost-response', 'nonsense', ''].map((value) =>
    outcome(`createJob in production ignores "${value}"`, create, 201, {
      ...production,
      headers: { 'x-simulate-ignored': 'production' },
      ...simulating(value),
    }),
  ),
]);
