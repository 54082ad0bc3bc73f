import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Db } from '../../src/database/open.ts';
import type { Environment } from '../../src/domain/environment.ts';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { addressOf } from '../helper/address.ts';
import { errorExamples } from '../helper/contract-examples.ts';
import { actionContext, type CompanyOptions, db, newCompany, server, startApp } from '../helper/fixtures.ts';
import { parseAnswer, raw } from '../helper/raw-http.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

type Elicit = () => Promise<{ readonly status: number; readonly body: unknown }>;

const sandboxWriter = async () => (await newCompany()).writer();
const read =
  (environment: Environment, options: CompanyOptions = {}): Elicit =>
  async () =>
    (await (await newCompany(options)).writer(environment)).get('/account');

const send =
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Elicit =>
  async () =>
    (await sandboxWriter()).send(method, path, body, headers);
const create = (body: unknown, headers: Record<string, string> = {}): Elicit =>
  send('POST', '/jobs', body, { 'Idempotency-Key': 'k', ...headers });
const simulated = (status: string): Elicit => send('GET', '/account', undefined, { 'X-Simulate': status });

/** A change of a job that pays from 1200 to 1600. */
const patch =
  (fields: unknown): Elicit =>
  async () => {
    const writer = await sandboxWriter();
    const { body } = await writer.create({ ...minimalJob, salary_min: 1200, salary_max: 1600 });
    return writer.patch(body.data.id, fields);
  };

/** The second request to an app with a limit of one. */
const limited =
  (setting: string): Elicit =>
  async () => {
    const writer = await (await newCompany()).writer('sandbox', await startApp({ [setting]: '1' }));
    await writer.get('/account');
    return writer.get('/account');
  };

/** An app with a database whose queries all fail like this. */
const failing =
  (error: Error): Elicit =>
  async () => {
    const fails = () => Promise.reject(error);
    const extended = db().$extends({ query: { $allOperations: fails } });
    // Prisma types an extended client differently, although it has every method of the client.
    const own = Object.assign(extended as unknown as Db, { rows: fails });
    const headers = { Authorization: `Bearer ${await (await newCompany()).secret('sandbox', 'read')}` };
    const response = await fetch(`${addressOf(await startApp({}, { db: own }))}/sandbox/v1/account`, { headers });
    return { status: response.status, body: await response.json() };
  };
const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const sanitizing =
  (close: boolean): Elicit =>
  async () => {
    const sanitizer = new Sanitizer({ pendingMax: 0 });
    if (close) await sanitizer.close();
    const writer = await (await newCompany()).writer('sandbox', await startApp({}, { sanitizer }));
    const answer = await writer.create({ ...minimalJob, body: '<p>Procuramos eletricista.</p>' });
    await sanitizer.close();
    return answer;
  };

const elicits: Readonly<Record<string, Elicit>> = {
  HttpsRequired: send('GET', '/account', undefined, { 'X-Forwarded-Proto': 'http' }),
  MalformedRequest: async () => parseAnswer(await raw(server(), 'GET /v1/account HTTP/1.1\r\nno header\r\n\r\n')),
  CredentialRefused: () => new RestClient(server(), 'sandbox', 'vaga_test_unknown').get('/account'),
  CredentialOfTheOtherEnvironment: () => new RestClient(server(), 'sandbox', 'vaga_live_unknown').get('/account'),
  ScopeMissing: async () => (await (await newCompany()).reader()).create(minimalJob),
  PlanNotEligible: read('production', { plan: null }),
  ApprovalMissing: read('production', { approved: false }),
  PermissionMissing: async () => {
    const acme = await newCompany();
    await suspendCompany(actionContext(), { companyId: acme.id });
    return (await acme.reader()).get('/account');
  },
  QuotaUsedUp: async () => {
    const acme = await newCompany({ plan: null });
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 1 });
    const writer = await acme.writer('production');
    await writer.create(minimalJob);
    return writer.create(minimalJob);
  },
  NoSuchJob: send('GET', '/jobs/1'),
  KeyUsedForOtherJson: async () => {
    const writer = await sandboxWriter();
    await writer.create(minimalJob, 'k');
    return writer.create({ ...minimalJob, title: 'Outro', salary_max: 2000 }, 'k');
  },
  JobChanged: async () => {
    const writer = await sandboxWriter();
    const { id } = (await writer.create(minimalJob)).body.data;
    return writer.send('DELETE', `/jobs/${id}`, undefined, { 'If-Match': '"other"' });
  },
  KeyOfRemovedJob: async () => {
    const acme = await newCompany();
    const writer = await acme.writer();
    const { id } = (await writer.create(minimalJob, 'k')).body.data;
    await removeJob(actionContext(), { companyId: acme.id, environment: 'sandbox', jobId: BigInt(id) });
    return writer.create(minimalJob, 'k');
  },
  BodyTooLarge: create({ ...minimalJob, requirements: 'x'.repeat(131_072) }),
  NotJson: create('title=Eletricista', { 'Content-Type': 'application/x-www-form-urlencoded' }),
  CompressedBody: create(gzipSync(JSON.stringify(minimalJob)), { 'Content-Encoding': 'gzip' }),
  UnknownParameter: send('GET', '/account?fields=plan'),
  InvalidParameters: send('GET', '/jobs?per_page=500&status=denied'),
  InvalidFields: create({
    ...minimalJob,
    title: undefined,
    application_method: 'email',
    salary_min: 1500,
    salary_max: 1200,
    education_details: ['a', 'b', 'c', 'x'.repeat(501)],
    colour: 'red',
  }),
  MissingIdempotencyKey: send('POST', '/jobs', minimalJob),
  InvalidMergedJob: patch({ salary_min: 2000 }),
  EmptyPatch: patch({}),
  MalformedJson: create('{\n  "title": "Eletricista",\n  "body": "Obras",\n  "district_id": =\n}'),
  CompanyLimitReached: limited('REQUESTS_PER_MINUTE'),
  AddressLimitReached: limited('IP_REQUESTS_PER_MINUTE'),
  SimulatedLimit: simulated('429'),
  InternalFault: failing(new Error('unforeseen')),
  DatabaseUnavailable: failing(refusedConnection),
  SanitizerBusy: sanitizing(false),
  ShuttingDown: sanitizing(true),
  SimulatedOutage: simulated('503'),
};

/** Numbers and days vary between answers; everything else is compared exactly. */
const varying = ['retry_after_seconds', 'limit', 'used', 'period_end', 'current_etag'];
const comparable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, value) => (varying.includes(key) ? typeof value : value)));

describe('the examples of errors in the contract', () => {
  const examples = errorExamples();

  it('are each compared with a real answer', () => {
    expect(examples.map(([name]) => name)).to.have.members(Object.keys(elicits));
  });

  for (const [name, example] of examples)
    it(`${name} is what the service answers`, async () => {
      const { status, body } = (await elicits[name]?.()) ?? {};
      expect(comparable(example)).to.deep.equal(comparable(body));
      expect(example).to.have.nested.property('error.status', status);
    });
});
