import { dayToDate } from '../../src/domain/dates.ts';
import { db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';
import { describeOutcomes, type Fixture } from './same-outcome.ts';
import {
  account,
  aJob,
  changeTo,
  create,
  createWith,
  each,
  everyCall,
  grant,
  ofPlan,
  ofStranger,
  only,
  outcome,
  past,
  production,
  published,
  remove,
  sending,
  stored,
} from './situations.ts';

const fourJobs = async (fixture: Fixture) => {
  for (const title of ['Um', 'Dois', 'Três']) await aJob({ ...minimalJob, title })(fixture);
  const { id } = await aJob({ ...fullJob(), title: 'Quatro' })(fixture);
  await (await fixture.open()).run(withdrawJob(id));
  return {};
};
/** Five jobs: one is withdrawn and one is removed. */
const oneWithdrawnAndOneRemoved = async (fixture: Fixture) => {
  await remove(fixture, (await aJob()(fixture)).id);
  return fourJobs(fixture);
};
const grantAndPosting = (fixture: Fixture) => grant(7)(fixture).then(() => aJob()(fixture));

const html = '<p onclick="x()">Olá <b>mundo</b><script>alert(1)</script></p>';
const shows = (shown: object) => ({ shows: shown });
const sanitized = shows({ body: '<p>Olá <b>mundo</b></p>' });
const nothing = { changesNothing: true };
const full = { given: aJob(fullJob()) };
const expired = { given: stored(past) };
const longKey = `${'a'.repeat(120)}A9._:-`;
const ofFour = { given: fourJobs };
const pages = [{}, { page: 2, per_page: 3 }, { page: 1_000_000 }, { status: 'inactive' }, { status: 'active' }];
/** A job's status before a change, after it, and after it if the company publishes without review. */
const statuses = [
  ['active', 'pending', 'active'],
  ['pending', 'pending', 'pending'],
  ['inactive', 'inactive', 'inactive'],
  ['expired', 'expired', 'expired'],
  ['denied', 'pending', 'pending'],
] as const;
const asFull = { ...fullJob(), salary_min: '1200.50', salary_max: '1500.00' };
const asMinimal = {
  ...Object.fromEntries(Object.keys(fullJob()).map((field) => [field, null])),
  ...{ ...minimalJob, company_name: 'Oficina Exemplo', is_anonymous: false, salary_negotiable: false },
  ...{ status: 'pending', is_active: false },
};
const cleared = { requirements: null, language_requirements: [] };
const salaries = [
  [99_999_999.99, '99999999.99'],
  [99_999_998.75 + 1e-8, '99999998.75'],
  [33_333_333.33 - 1e-8, '33333333.33'],
  [1250.500_000_01, '1250.50'],
  [1e-8, '0.00'],
  [-0, '0.00'],
] as const;

describeOutcomes('200, 201 and 204 over both protocols', [
  ...each(everyCall.slice(0, 5), 'by a writer', 200, nothing),
  ...each(everyCall.slice(0, 5), 'by a reader in production', 200, production, nothing, { access: 'read' }),
  outcome('getAccount with a complimentary limit and a posting', account, 200, ofPlan(null), {
    given: grantAndPosting,
    shows: { access_type: 'complimentary', plan: null, 'jobs.limit': 7, 'jobs.used': 1, 'jobs.remaining': 6 },
  }),
  outcome('getAccount without a limit, after a withdrawal and a removal', account, 200, production, {
    given: oneWithdrawnAndOneRemoved,
    shows: { access_type: 'subscription', 'jobs.limit': -1, 'jobs.used': 5, 'jobs.remaining': -1 },
  }),
  ...['Pro', 'VIP'].map((plan) => outcome(`getAccount of ${plan}`, account, 200, ofPlan(plan), shows({ plan }))),
  ...['Base', 'Gratuito', null].map((plan) =>
    outcome(`getAccount of ${plan}, sandbox`, account, 200, { company: { plan } }, shows({ plan, 'jobs.limit': 100 })),
  ),
  ...pages.map((query) => outcome(`listJobs ${JSON.stringify(query)} of four`, listJobs(query), 200, ofFour)),
  ...[{}, production].flatMap((where) => [
    outcome('createJob, minimal', create, 201, where, shows(asMinimal)),
    outcome('createJob, every field', createJob(fullJob(), longKey), 201, where, shows(asFull)),
  ]),
  outcome('createJob, auto-publish', create, 201, published, shows({ status: 'active', is_active: true })),
  outcome('createJob, auto-publish, sandbox', create, 201, { company: { autoPublish: true } }, shows(asMinimal)),
  outcome('createJob, sanitized', createWith({ body: html }), 201, sanitized),
  ...['json;charset=UTF-8', 'JSON; charset="utf-8"', 'json; charset=utf8'].map((type) =>
    outcome(`createJob as ${type}`, create, 201, sending({ 'Content-Type': `Application/${type}` })),
  ),
  outcome('createJob, nulls', createWith({ ...cleared, salary_min: null, valid_until: null }), 201, shows(cleared)),
  ...salaries.map(([salary_max, shown]) =>
    outcome(`createJob, ${salary_max} EUR`, createWith({ salary_max }), 201, shows({ salary_max: shown })),
  ),
  outcome('createJob, salaries of one cent', createWith({ salary_min: 0.1 + 0.2, salary_max: 0.3 }), 201),
  outcome('createJob in another district, sandbox', create, 201, { given: only(11) }),
  outcome('getJob', getJob(0), 200, full, shows(asFull), { access: 'read' }),
  outcome('getJob, past its last day', getJob(0), 200, expired, shows({ status: 'expired', is_active: false })),
  outcome('getJob, anonymous', getJob(0), 200, {
    given: stored({ isAnonymous: true }),
    shows: { company_name: null, is_anonymous: true },
  }),
  outcome('updateJob of every field', changeTo(fullJob()), 200, shows(asFull), { given: aJob() }),
  outcome('updateJob to null and to nothing', changeTo(cleared), 200, full, shows({ ...asFull, ...cleared })),
  outcome('updateJob, sanitized', changeTo({ body: html }), 200, full, sanitized),
  ...[fullJob(), { salary_min: 1200.5 + 1e-8 }, { body: `${fullJob().body}<script></script>` }].map((fields) =>
    outcome(`updateJob to what it is: ${Object.keys(fields)}`, changeTo(fields), 200, published, full, nothing),
  ),
  outcome('updateJob to what it is, past its last day', changeTo({ title: minimalJob.title }), 200, expired, nothing),
  ...statuses.flatMap(([status, changed, unreviewed]) => {
    const [title, given] = ['Mudado', stored({ status })];
    const withdrawn = { shows: { status: 'inactive', is_active: false }, changesNothing: status === 'inactive' };
    return [
      outcome(
        `updateJob, ${status}`,
        changeTo({ title }),
        200,
        production,
        { given },
        shows({ title, status: changed }),
      ),
      outcome(`updateJob, ${status}, auto-publish`, changeTo({ title }), 200, published, {
        given,
        shows: { title, status: unreviewed },
      }),
      outcome(`withdrawJob, ${status}`, withdrawJob(0), 204, production, { given }, withdrawn),
    ];
  }),
  outcome('updateJob of the last day when it is past', changeTo({ valid_until: inDays(9) }), 200, published, expired, {
    shows: { status: 'expired', valid_until: inDays(9) },
  }),
  ...[12, minimalJob.district_id].map((district_id) =>
    outcome(`updateJob to district ${district_id}, allowed or its own`, changeTo({ district_id }), 200, production, {
      given: only(12),
    }),
  ),
  outcome('updateJob to another district, sandbox', changeTo({ district_id: 12 }), 200, { given: only(11) }),
]);

const changed = { because: 'changed' };
const ofAJob = { given: aJob() };
/** A change and a withdrawal, each with this If-Match. */
const conditional = (ifMatch?: unknown): Call[] =>
  [changeTo({ title: 'Mudado' }), withdrawJob(0)].map((call) => ({ ...call, ifMatch }));
const succeeds = ({ body }: Call): number => (body ? 200 : 204);

/** Takes the ETag from the answer to one of these calls, then runs something else. */
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
/** A tag that is equal only by weak comparison; RFC 9110, 13.1.1 requires strong comparison. */
const withWeakEtag = async (fixture: Fixture) => {
  const { id, ifMatch } = await withEtag()(fixture);
  return { id, ifMatch: ifMatch.replace('"other", ', 'W/') };
};
/** The tag of a job whose last day is today. */
const withEtagOnTheLastDay = async (fixture: Fixture) => {
  const { id } = await stored({ validUntil: dayToDate(inDays(0)), status: 'active' })(fixture);
  const { etag = '' } = await (await fixture.open()).run(getJob(id));
  return { id, ifMatch: etag };
};
const sameTitle = (id: number) => updateJob(id, { title: minimalJob.title });
/** Actions that make another version of a job. */
const versions: Readonly<Record<string, (fixture: Fixture, id: number) => Promise<unknown>>> = {
  changed: async ({ open }, id) => (await open()).run(updateJob(id, { requirements: 'Outros' })),
  'past its last day': ({ acme }) => db().job.updateMany({ where: { companyId: acme.id }, data: past }),
  'of a company with another name': ({ acme }) =>
    db().company.update({ where: { id: acme.id }, data: { name: 'Oficina Nova' } }),
};
const withEtagOfAnother = async (fixture: Fixture) => ({ ...(await withEtag()(fixture)), ...(await aJob()(fixture)) });
const malformed = ['', 'none', 'W/*', '"a', '"a" "b"', '"a",', '*, "a"', `"${'a'.repeat(6499)}"`];

describeOutcomes('If-Match over both protocols', [
  ...[getJob, () => create, sameTitle].flatMap((callOf) =>
    conditional().map((call) =>
      outcome(`${call.operationId} with the ETag of ${callOf(0).operationId}`, call, succeeds(call), {
        given: withEtag(callOf),
      }),
    ),
  ),
  ...conditional('*').map((call) => outcome(`${call.operationId}, any`, call, succeeds(call), ofAJob)),
  ...Object.entries(versions).flatMap(([version, then]) =>
    each(conditional(), `of a job ${version}`, 412, changed, { given: withEtag(getJob, then) }),
  ),
  outcome('updateJob of a job withdrawn', changeTo({ title: 'Mudado' }), 412, changed, {
    given: withEtag(getJob, async ({ open }, id) => (await open()).run(withdrawJob(id))),
  }),
  ...each(conditional(), 'with the current ETag, weak', 412, changed, { given: withWeakEtag }),
  ...conditional().map((call) =>
    outcome(`${call.operationId} with the current ETag on the last day`, call, succeeds(call), {
      given: withEtagOnTheLastDay,
    }),
  ),
  ...each(conditional(), 'with the ETag of an equal job', 412, changed, { given: withEtagOfAnother }),
  ...each(conditional('*'), "of another company's job", 404, { because: 'job', given: ofStranger }),
  ...['"other"', 'W/"other"', '"a",,"b" , W/"c"'].flatMap((ifMatch) =>
    each(conditional(ifMatch), `with ${ifMatch}`, 412, changed, ofAJob),
  ),
  ...malformed.flatMap((ifMatch) =>
    each(conditional(ifMatch), `malformed ${ifMatch.slice(0, 9)}`, 422, ofAJob, { because: ['If-Match'] }),
  ),
  outcome('withdrawJob of an inactive job', { ...withdrawJob(0), ifMatch: '"other"' }, 204, nothing, {
    given: stored({ status: 'inactive' }),
  }),
]);
