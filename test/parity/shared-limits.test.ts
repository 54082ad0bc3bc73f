import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Environment } from '../../src/domain/environment.ts';
import { makeSecret } from '../../src/domain/token.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { actionContext, db, newCompany, server, startApp, type TestCompany } from '../helper/fixtures.ts';
import { McpClient, ModernMcpClient } from '../helper/mcp-client.ts';
import { PageClient } from '../helper/page-client.ts';
import {
  type Answer,
  callers,
  createJob,
  listJobs,
  type ProtocolCaller,
  restCaller,
} from '../helper/protocol-callers.ts';
import { freshKey, RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

/** All callers for each of three credentials, two that write and one that reads. */
async function nineCallers(company: TestCompany, environment: Environment, at = server()): Promise<ProtocolCaller[]> {
  const issued = [
    await company.issue(environment, 'write'),
    await company.issue(environment, 'read'),
    await company.issue(environment, 'write'),
  ];
  return issued.flatMap(({ secret }) => callers.map((caller) => caller(at, environment, secret)));
}

const at = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;
const withStatus = (answers: readonly Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);
const detailsOf = ({ body }: Answer) => (body as { error: { details: Record<string, unknown> } }).error.details;

describe('request limit over both protocols', () => {
  it('exactly 60 of many simultaneous requests over both protocols and three credentials pass, even beyond the company’s places; the next is refused to each', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '60', MAX_IN_FLIGHT: '40' });
    const acme = await newCompany();
    const all = await nineCallers(acme, 'production', limited);
    const answers = await Promise.all(times(72, (n) => at(all, n).run({ operationId: 'listOptions' })));
    expect([withStatus(answers, 200).length, withStatus(answers, 429).length]).to.deep.equal([60, 12]);
    for (const caller of all) {
      const refused = await caller.run(listJobs());
      const seconds = Number(refused.headers['retry-after']);
      expect([refused.status, refused.headers['ratelimit-remaining']], caller.name).to.deep.equal([429, '0']);
      expect(seconds, caller.name).to.be.within(1, 60);
      expect(detailsOf(refused), caller.name).to.deep.equal({ reason: 'company', retry_after_seconds: seconds });
    }
    const others = [
      ...(await nineCallers(acme, 'sandbox', limited)),
      ...(await nineCallers(await newCompany(), 'production', limited)),
    ];
    for (const caller of others) expect((await caller.run(listJobs())).status).to.equal(200);
  });

  it('RateLimit-Policy and RateLimit agree with the three older headers, even on refusals, which count too', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '12' });
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const rest = new RestClient(limited, 'sandbox', secret);
    const [mcp, modern] = [new McpClient(limited, 'sandbox', secret), new ModernMcpClient(limited, 'sandbox', secret)];
    const call = { name: 'get_job', arguments: { id: 1 } };
    expect((await rest.get('/account')).body.data.requests_per_minute).to.equal(12);
    const left: string[] = [];
    for (const ask of [
      () => rest.get('/options'),
      () => rest.get('/jobs/1'),
      () => rest.get('/nothing'),
      () => rest.get('/jobs?page=0'),
      () => rest.create(minimalJob),
      () => rest.get('/options', { 'X-Simulate': '503' }),
      () => rest.get('/options', { 'If-None-Match': '*' }),
      () => mcp.request('ping'),
      () => mcp.request('tools/call', call),
      () => modern.request('tools/call', call),
      () => mcp.post('no JSON'),
      () => rest.get('/options'),
      () => mcp.request('ping'),
    ]) {
      const { headers } = await ask();
      const { 'ratelimit-remaining': remaining = '', 'ratelimit-reset': reset } = headers;
      expect(headers['ratelimit-policy']).to.equal(`"company";q=${headers['ratelimit-limit']};w=60`);
      expect(headers.ratelimit).to.equal(`"company";r=${remaining};t=${reset}`);
      left.push(remaining);
    }
    expect(left.join(' ')).to.equal('10 9 8 7 6 5 4 3 2 1 0 0 0');
    const unknown = await new RestClient(limited, 'sandbox', 'vaga_test_unknown').get('/options');
    expect(unknown.headers).to.not.have.any.keys('ratelimit-policy', 'ratelimit');
  });

  it('the address limit counts both protocols together', async () => {
    const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '20' });
    const all = [
      ...(await nineCallers(await newCompany(), 'sandbox', guarded)),
      ...(await nineCallers(await newCompany(), 'production', guarded)),
    ];
    const answers = await Promise.all(times(36, (n) => at(all, n).run({ operationId: 'listOptions' })));
    const outcomes = answers.map((answer) => (answer.status === 200 ? 200 : detailsOf(answer).reason));
    expect(outcomes.sort()).to.deep.equal([...Array(20).fill(200), ...Array(16).fill('address')]);
    const unknown = await restCaller(guarded, 'sandbox', 'vaga_test_unknown').run(listJobs());
    expect(detailsOf(unknown), 'before the credential').to.include({ reason: 'address' });
  });

  it('mistyped, missing and ended credentials lock nobody out of an address; unknown ones lock out only credentials', async () => {
    const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '200' });
    const acme = await newCompany();
    const [valid, ended] = [await acme.secret('sandbox', 'read'), await acme.ended('sandbox', 'revokedAt')];
    const mistyped = valid.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const statuses = async (secret: string | undefined) =>
      new Set(
        (await Promise.all(times(30, () => restCaller(guarded, 'sandbox', secret).run(listJobs())))).map(
          (a) => a.status,
        ),
      );
    for (const secret of [mistyped, undefined, ended]) expect([...(await statuses(secret))]).to.deep.equal([401]);
    expect((await restCaller(guarded, 'sandbox', valid).run(listJobs())).status).to.equal(200);
    const guessed = makeSecret({ environment: 'sandbox', companyId: acme.id }, randomBytes(24));
    for (const _ of times(12, Number)) await restCaller(guarded, 'sandbox', guessed).run(listJobs());
    expect((await restCaller(guarded, 'sandbox', guessed).run(listJobs())).status).to.equal(429);
    expect((await restCaller(guarded, 'sandbox', valid).run(listJobs())).status, 'who shares it').to.equal(429);
    expect((await restCaller(guarded, 'sandbox', mistyped).run(listJobs())).status).to.equal(401);
    expect((await new PageClient('company', guarded).get('/sign-in')).status).to.equal(200);
  });
});

describe('posting quota over both protocols', () => {
  const jobsOf = async (caller: ProtocolCaller) =>
    ((await caller.run({ operationId: 'getAccount' })).body as { data: { jobs: Record<string, unknown> } }).data.jobs;

  /** Creates with all callers in turn until nothing is left, the last creates at once, and compares what each caller is told. */
  async function useUp(company: TestCompany, environment: Environment, limit: number, made = 0): Promise<void> {
    const secret = await company.secret(environment, 'write');
    const all = callers.map((caller) => caller(server(), environment, secret));
    const create = (n: number) => at(all, n).run(createJob(minimalJob, freshKey()));
    for (let n = made; n < limit - 2; n++) expect((await create(n)).status).to.equal(201);
    const last = await Promise.all(times(10, create));
    const left = Math.min(limit, 2);
    expect([withStatus(last, 201).length, withStatus(last, 403).length]).to.deep.equal([left, 10 - left]);
    expect(await db().job.count({ where: { companyId: company.id, environment } })).to.equal(limit - made);
    for (const [n, caller] of all.entries()) {
      expect(await jobsOf(caller), caller.name).to.include({ limit, used: limit, remaining: 0 });
      const refused = await create(n);
      expect(refused.status, caller.name).to.equal(403);
      expect(detailsOf(refused), caller.name).to.include({ reason: 'quota', limit, used: limit });
    }
  }

  it('the limit of a plan or a grant is shared, 0 included', async () => {
    const { postingLimit } = await db().plan.findFirstOrThrow({ where: { name: 'Pro' } });
    await useUp(await newCompany({ plan: 'Pro' }), 'production', postingLimit);
    for (const limit of [0, 1, 3]) {
      const acme = await newCompany({ plan: null });
      await grantComplimentary(actionContext(), { companyId: acme.id, limit });
      await useUp(acme, 'production', limit);
    }
  });

  it('the sandbox capacity of 100 is shared, has no period, and is separate from the production quota', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const usage = { allowance: 'sandbox', periodStart: new Date(0), used: 90 } as const;
    await db().postingUsage.createMany({ data: { companyId: acme.id, ...usage } });
    await useUp(acme, 'sandbox', 100, 90);
    for (const [environment, expected] of [
      ['sandbox', { period_start: null, period_end: null }],
      ['production', { used: 0 }],
    ] as const)
      expect((await (await acme.reader(environment)).get('/account')).body.data.jobs).to.include(expected);
  });
});
