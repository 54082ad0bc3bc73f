import { randomBytes } from 'node:crypto';
import { fieldHashes } from '../../src/domain/fingerprint.ts';
import type { JobStatus } from '../../src/domain/job.ts';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../src/operations/companies/set-districts.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { actionContext, clock, db } from '../helper/fixtures.ts';
import { type Call, createJob, getJob, listJobs, updateJob, withdrawJob } from '../helper/protocol-callers.ts';
import { fullJob, inDays, minimalJob } from '../helper/sample-jobs.ts';
import { aJob, everyCall, onOneJob, withBody, writes } from './calls.ts';
import { describeOutcomes, type Fixture, type Outcome } from './same-outcome.ts';

const forEach = (calls: readonly Call[], make: (call: Call) => Omit<Outcome, 'call' | 'title'> & { title?: string }) =>
  calls.map((call): Outcome => ({ title: call.operationId, call, ...make(call) }));

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

const production = { environment: 'production' } as const;
const html = '<p onclick="x()">Olá <b>mundo</b><script>alert(1)</script></p>';

describeOutcomes('200, 201 and 204 over both protocols', [
  ...forEach(everyCall.slice(0, 5), () => ({ status: 200 })),
  ...forEach(everyCall.slice(0, 5), ({ operationId }) => ({
    ...production,
    title: `${operationId} by a reader in production`,
    access: 'read',
    status: 200,
  })),
  {
    ...production,
    title: 'getAccount with a complimentary limit and a posting',
    call: { operationId: 'getAccount' },
    status: 200,
    company: { plan: null },
    given: async (fixture) => {
      await grantComplimentary(actionContext(), { companyId: fixture.acme.id, limit: 7 });
      await aJob()(fixture);
      return {};
    },
  },
  ...[
    {},
    { page: 2, per_page: 3 },
    { per_page: 1 },
    { page: 1_000_000 },
    { status: 'inactive' },
    { status: 'active' },
  ].map(
    (query): Outcome => ({
      title: `listJobs ${JSON.stringify(query)} of four`,
      call: listJobs(query),
      status: 200,
      given: threeJobs,
    }),
  ),
  ...(['sandbox', 'production'] as const).flatMap((environment): Outcome[] => [
    { title: `createJob, minimal, ${environment}`, environment, call: createJob(minimalJob, 'k'), status: 201 },
    { title: `createJob, every field, ${environment}`, environment, call: createJob(fullJob(), 'k'), status: 201 },
    {
      title: `createJob, auto-publish, ${environment}`,
      environment,
      call: createJob(minimalJob, `${'a'.repeat(120)}A9._:-`),
      company: { autoPublish: true },
      status: 201,
    },
  ]),
  { title: 'createJob, sanitized', call: createJob({ ...minimalJob, body: html }, 'k'), status: 201 },
  {
    title: 'createJob, nulls and empty lists',
    call: createJob({ ...minimalJob, salary_min: null, valid_until: null, language_requirements: [] }, 'k'),
    status: 201,
  },
  {
    title: 'createJob, cents of the largest salary',
    call: createJob({ ...minimalJob, salary_min: 0.07, salary_max: 99_999_999.99 }, 'k'),
    status: 201,
  },
  { title: 'getJob', call: getJob(0), status: 200, access: 'read', given: aJob(fullJob()) },
  { title: 'getJob, expired', ...production, call: getJob(0), status: 200, given: inStatus('expired') },
  { title: 'updateJob of every field', call: updateJob(0, fullJob()), status: 200, given: aJob() },
  { title: 'updateJob to null', call: updateJob(0, { requirements: null }), status: 200, given: aJob(fullJob()) },
  { title: 'updateJob, sanitized', call: updateJob(0, { body: html }), status: 200, given: aJob() },
  ...(['pending', 'active', 'inactive', 'expired', 'denied'] as const).flatMap((status): Outcome[] => [
    {
      ...production,
      title: `updateJob of a job that is ${status}`,
      call: updateJob(0, { title: 'Mudado' }),
      status: 200,
      given: inStatus(status),
    },
    {
      ...production,
      title: `withdrawJob of a job that is ${status}`,
      call: withdrawJob(0),
      status: 204,
      given: inStatus(status),
    },
  ]),
]);

/** A create that has succeeded through the protocol under test, and what came after it. */
const created = (then: (fixture: Fixture, id: number) => Promise<unknown>) => async (fixture: Fixture) => {
  const { body } = await (await fixture.open()).run(createJob(fullJob(), 'k'));
  await then(fixture, (body as { data: { id: number } }).data.id);
  return {};
};
const remove = ({ acme, environment }: Fixture, id: number) =>
  removeJob(actionContext(), { companyId: acme.id, environment, jobId: BigInt(id) });

describeOutcomes(
  'createJob again over both protocols',
  (['sandbox', 'production'] as const).flatMap((environment): Outcome[] => {
    const again = { environment, call: createJob(fullJob(), 'k') };
    const other = { environment, call: createJob({ ...fullJob(), title: 'Outro', salary_min: null }, 'k') };
    return [
      { ...again, title: `replay, ${environment}`, status: 200, given: created(async () => {}) },
      {
        ...again,
        title: `replay of a changed job, ${environment}`,
        status: 200,
        given: created(async ({ open }, id) => (await open()).run(updateJob(id, { title: 'Chefe' }))),
      },
      {
        ...again,
        title: `replay of a withdrawn job, ${environment}`,
        status: 200,
        given: created(async ({ open }, id) => (await open()).run(withdrawJob(id))),
      },
      {
        ...other,
        title: `409, ${environment}`,
        status: 409,
        because: 'idempotency_key',
        given: created(async () => {}),
      },
      { ...again, title: `410, ${environment}`, status: 410, because: 'job_removed', given: created(remove) },
      {
        ...other,
        title: `409 before 410, ${environment}`,
        status: 409,
        because: 'idempotency_key',
        given: created(remove),
      },
    ];
  }),
);

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 60);
const { title: _, ...untitled } = fullJob();

/** JSON that the contract refuses. */
const notAllowed: readonly unknown[] = [
  { ...fullJob(), colour: 'red' },
  { ...fullJob(), title: 'a'.repeat(256) },
  { ...fullJob(), title: null, idempotency_key: 'k' },
  untitled,
  JSON.parse('{"__proto__":{"title":"x"},"constructor":1,"toString":null}'),
  Object.fromEntries(Array.from({ length: 9000 }, (_, n) => [`k${n}`, 1])),
  { ['x'.repeat(100_000)]: 1 },
  {},
  [fullJob()],
  null,
  7,
  'x',
];
const refusedToday = { ...fullJob(), title: 'a'.repeat(256), colour: 'red' };

/** The create's JSON was allowed when it was sent. */
const sentBefore = async ({ acme, environment }: Fixture) => {
  const where = { companyId: acme.id, environment };
  await db().idempotencyKey.updateMany({ where, data: { fieldHashes: fieldHashes(refusedToday) } });
};
const conflict = { status: 409, because: 'idempotency_key' } as const;
const nothing = async () => {};

describeOutcomes('createJob again with JSON that the contract does not allow, over both protocols', [
  ...notAllowed.map(
    (job): Outcome => ({ ...conflict, title: `409 ${shown(job)}`, call: createJob(job, 'k'), given: created(nothing) }),
  ),
  {
    ...conflict,
    title: '409 before 410',
    call: createJob({ ...fullJob(), colour: 'red' }, 'k'),
    given: created(remove),
  },
  { title: 'replay', call: createJob(refusedToday, 'k'), status: 200, given: created(sentBefore) },
  {
    title: '410',
    call: createJob(refusedToday, 'k'),
    status: 410,
    because: 'job_removed',
    given: created((fixture, id) => sentBefore(fixture).then(() => remove(fixture, id))),
  },
  {
    title: '422 without a job',
    call: createJob(undefined, 'k'),
    status: 422,
    because: ['request_body'],
    given: created(nothing),
  },
  {
    title: '422 with a malformed key',
    call: createJob(refusedToday, 'k k'),
    status: 422,
    because: ['Idempotency-Key', 'colour', 'title'],
    given: created(nothing),
  },
]);

const refused401 = { status: 401, because: 'credential', atGate: true } as const;
const badSecrets: readonly [kind: string, secret: NonNullable<Outcome['secret']>][] = [
  ['missing', async () => undefined],
  ['malformed', async () => 'nonsense'],
  ['unknown', async () => `vaga_test_${randomBytes(24).toString('base64url')}`],
  ['mistyped', async ({ acme }) => `${await acme.secret('sandbox', 'write')}0`],
  ['of the other environment', ({ acme }) => acme.secret('production', 'write')],
  [
    'revoked',
    async ({ acme }) => {
      const { credentialId, secret } = await acme.issue('sandbox', 'write');
      await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
      return secret;
    },
  ],
  [
    'expired',
    async ({ acme }) => {
      const { credentialId: id, secret } = await acme.issue('sandbox', 'write');
      await db().credential.updateMany({ where: { companyId: acme.id, id }, data: { expiresAt: clock.now() } });
      return secret;
    },
  ],
];

describeOutcomes('401 over both protocols', [
  ...forEach(everyCall, ({ operationId }) => ({
    ...refused401,
    title: `${operationId}, sandbox credential in production`,
    ...production,
    secret: ({ acme }) => acme.secret('sandbox', 'write'),
  })),
  ...badSecrets.map(
    ([kind, secret]): Outcome => ({ ...refused401, title: kind, call: createJob(minimalJob, 'k'), secret }),
  ),
]);

const suspend = async ({ acme }: Fixture) => {
  await suspendCompany(actionContext(), { companyId: acme.id });
  return {};
};
const gate403 = { status: 403, atGate: true } as const;

describeOutcomes('403 of the company over both protocols', [
  ...forEach(everyCall, ({ operationId }) => ({
    ...gate403,
    ...production,
    title: `${operationId} without an eligible plan`,
    because: 'plan',
    company: { plan: 'Base' },
  })),
  ...forEach(everyCall, ({ operationId }) => ({
    ...gate403,
    ...production,
    title: `${operationId} without approval`,
    because: 'approval',
    company: { approved: false },
  })),
  ...forEach(everyCall, ({ operationId }) => ({
    ...gate403,
    title: `${operationId} of an unverified company`,
    because: 'permission',
    company: { verified: false },
  })),
  ...forEach(everyCall, ({ operationId }) => ({
    ...gate403,
    ...production,
    title: `${operationId} of a suspended company`,
    because: 'permission',
    given: suspend,
  })),
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

describeOutcomes('403 of the call over both protocols', [
  ...forEach(writes, () => ({ status: 403, because: 'scope', access: 'read' })),
  ...forEach(writes, ({ operationId }) => ({
    ...production,
    title: `${operationId}, production`,
    status: 403,
    because: 'scope',
    access: 'read',
  })),
  {
    title: 'createJob, sandbox full',
    call: createJob(minimalJob, 'k'),
    status: 403,
    because: 'quota',
    given: usedUp,
  },
  {
    ...production,
    title: 'createJob, complimentary limit of 0',
    call: createJob(minimalJob, 'k'),
    status: 403,
    because: 'quota',
    company: { plan: null },
    given: async ({ acme }) => {
      await grantComplimentary(actionContext(), { companyId: acme.id, limit: 0 });
      return {};
    },
  },
  {
    ...production,
    title: 'createJob in another district',
    call: createJob(minimalJob, 'k'),
    status: 403,
    because: 'permission',
    given: only11,
  },
  { title: 'createJob in another district, sandbox', call: createJob(minimalJob, 'k'), status: 201, given: only11 },
  {
    ...production,
    title: 'updateJob to another district',
    call: updateJob(0, { district_id: 12 }),
    status: 403,
    because: 'permission',
    given: async (fixture) => ({ ...(await aJob()(fixture)), ...(await only11(fixture)) }),
  },
]);

const missing = { status: 404, because: 'job' } as const;

describeOutcomes('404 over both protocols', [
  ...[999_999_999, Number.MAX_SAFE_INTEGER, 2 ** 53].flatMap((id) =>
    forEach(onOneJob, ({ operationId }) => ({
      ...missing,
      title: `${operationId} ${id}`,
      given: async () => ({ id }),
    })),
  ),
  ...forEach(onOneJob, ({ operationId }) => ({
    ...missing,
    title: `${operationId} of another company's job`,
    given: (fixture: Fixture) => aJob()(fixture, fixture.stranger),
  })),
  ...forEach(onOneJob, ({ operationId }) => ({
    ...missing,
    title: `${operationId} of the other environment's job`,
    given: (fixture: Fixture) => aJob()(fixture, fixture.acme, 'production'),
  })),
  ...forEach(onOneJob, ({ operationId }) => ({
    ...missing,
    title: `${operationId} of a removed job`,
    given: async (fixture: Fixture) => {
      const { id } = await aJob()(fixture);
      await remove(fixture, id);
      return { id };
    },
  })),
]);

const changed = { status: 412, because: 'changed' } as const;
/** A change and a withdrawal, each with this If-Match. */
const conditional = (ifMatch: unknown): Call[] =>
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
const malformed = ['', 'none', 'W/*', '"a', '"a" "b"', '"a",', '*, "a"', `"${'a'.repeat(999)}"`];

describeOutcomes('If-Match over both protocols', [
  ...[updateJob(0, { title: 'Mudado' }), withdrawJob(0)].flatMap((call): Outcome[] => [
    { title: `${call.operationId}, current`, call, given: withEtag, status: call.body ? 200 : 204 },
    { title: `${call.operationId}, changed since`, call, given: thenChanged, ...changed },
    {
      title: `${call.operationId}, another company's job`,
      call: { ...call, ifMatch: '*' },
      ...missing,
      given: (fixture) => aJob()(fixture, fixture.stranger),
    },
  ]),
  ...['"other"', 'W/"other"', '"a",,"b" , W/"c"'].flatMap((ifMatch) =>
    forEach(conditional(ifMatch), ({ operationId }) => ({
      title: `${operationId}, ${ifMatch}`,
      ...changed,
      given: aJob(),
    })),
  ),
  ...forEach(conditional('*'), ({ operationId, body }) => ({
    title: `${operationId}, any`,
    status: body ? 200 : 204,
    given: aJob(),
  })),
  ...malformed.flatMap((ifMatch) =>
    forEach(conditional(ifMatch), ({ operationId }) => ({
      title: `${operationId}, malformed ${ifMatch.slice(0, 9)}`,
      status: 422,
      because: ['If-Match'],
      given: aJob(),
    })),
  ),
]);

const large = { requirements: 'x'.repeat(131_072) };

describeOutcomes('400, 413 and 415 over both protocols', [
  ...forEach(everyCall, ({ operationId }) => ({
    title: `${operationId} by plain http through a proxy`,
    status: 400,
    because: 'https',
    atGate: true,
    given: async () => ({ headers: { 'X-Forwarded-Proto': 'http' } }),
  })),
  ...forEach(withBody, ({ operationId, body }) => ({
    title: `${operationId}, a body of more than 128 KiB`,
    status: 413,
    because: 'body_size',
    atGate: true,
    given: async () => ({ body: { ...(body as object), ...large } }),
  })),
  ...['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded'].flatMap((type) =>
    forEach(withBody, ({ operationId }) => ({
      title: `${operationId}, ${type}`,
      status: 415,
      because: 'media_type',
      atGate: true,
      given: async () => ({ headers: { 'Content-Type': type } }),
    })),
  ),
  ...forEach(withBody, ({ operationId }) => ({
    title: `${operationId}, gzip`,
    status: 415,
    because: 'content_encoding',
    atGate: true,
    given: async () => ({ headers: { 'Content-Encoding': 'gzip' } }),
  })),
  {
    title: 'createJob, a date that has just passed is no matter of the caller',
    call: createJob({ ...minimalJob, valid_until: inDays(0) }, 'k'),
    status: 422,
    because: ['valid_until'],
  },
]);
