import { expect } from 'chai';
import { clock, db, newCompany, server, startApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const statuses = async (calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map(({ status }) => status);
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const count = <T>(values: T[], value: T): number => values.filter((other) => other === value).length;

describe('request limit', () => {
  it('60 a minute per company and environment over all its credentials; the 61st answers 429', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '60' });
    const [acme, other] = [await newCompany(), await newCompany()];
    const clients = [await acme.reader('sandbox', limited), await acme.writer('sandbox', limited)];
    const answers = await statuses(times(70, (n) => (clients[n % 2] as RestClient).get('/options')));
    expect(count(answers, 200)).to.equal(60);
    expect(count(answers, 429)).to.equal(10);
    const { status, headers, body } = await (clients[0] as RestClient).get('/options');
    expect(status).to.equal(429);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(headers['ratelimit-remaining']).to.equal('0');
    expect(body.error.details).to.include({ reason: 'company', retry_after_seconds: Number(headers['retry-after']) });
    expect((await (await acme.reader('production', limited)).get('/options')).status).to.equal(200);
    expect((await (await other.reader('sandbox', limited)).get('/options')).status).to.equal(200);
  });

  it('a burst past the limit gets 429, also if it exceeds the company’s share of the in-flight limit', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '8', MAX_IN_FLIGHT: '40' });
    const client = await (await newCompany()).reader('sandbox', limited);
    const answers = await statuses(times(30, () => client.get('/options')));
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([8, 22]);
  });

  it('every authenticated response has the RateLimit headers', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '60' });
    const asReader = await (await newCompany()).reader('sandbox', limited);
    const first = await asReader.get('/account');
    expect(first.headers).to.include({ 'ratelimit-limit': '60', 'ratelimit-remaining': '59' });
    const missing = await asReader.get('/jobs/1');
    expect(missing.headers).to.include({ 'ratelimit-limit': '60', 'ratelimit-remaining': '58' });
    expect(Number(missing.headers['ratelimit-reset'])).to.be.within(1, 60);
    expect(first.body.data.requests_per_minute).to.equal(60);
  });

  it('the address limit answers 429 before authentication, and refused credentials use it up sooner', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const guarded = await startApp({ IP_REQUESTS_PER_MINUTE: '50' });
    const honest = new RestClient(guarded, 'sandbox', secret);
    expect(count(await statuses(times(60, () => honest.get('/options'))), 200)).to.equal(50);
    const guessed = await startApp({ IP_REQUESTS_PER_MINUTE: '50' });
    const answers: number[] = [];
    for (let n = 0; n < 20; n++)
      answers.push((await new RestClient(guessed, 'sandbox', `vaga_test_${n}`).get('/options')).status);
    expect(count(answers, 401)).to.equal(5);
    const { status, body } = await new RestClient(guessed, 'sandbox', secret).get('/options');
    expect(status).to.equal(429);
    expect(body.error.details.reason).to.equal('address');
  });
});

describe('posting quota', () => {
  it('past the plan’s limit a create gets 403 quota, and the account shows it', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const { postingLimit } = await db().plan.findFirstOrThrow({ where: { name: 'Pro' } });
    const asWriter = await acme.writer('production');
    for (let n = 0; n < postingLimit - 1; n++) expect((await asWriter.create(minimalJob)).status).to.equal(201);
    const last = await Promise.all(times(8, () => asWriter.create(minimalJob)));
    expect(
      count(
        last.map(({ status }) => status),
        201,
      ),
    ).to.equal(1);
    const refused = last.find(({ status }) => status === 403);
    expect(refused?.body.error.details).to.include({ reason: 'quota', limit: postingLimit, used: postingLimit });
    expect((await asWriter.get('/account')).body.data.jobs).to.include({
      limit: postingLimit,
      used: postingLimit,
      remaining: 0,
    });
    expect((await asWriter.get('/jobs')).body.meta.total).to.equal(postingLimit);
  });

  it('a new period begins on the day of the month on which the subscription began', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const asWriter = await acme.writer('production');
    await asWriter.create(minimalJob);
    const first = (await asWriter.get('/account')).body.data.jobs;
    expect(first.used).to.equal(1);
    try {
      clock.aheadMs = 32 * 86_400_000;
      const second = (await asWriter.get('/account')).body.data.jobs;
      expect(second.used).to.equal(0);
      expect(second.period_start > first.period_end).to.equal(true);
    } finally {
      clock.aheadMs = 0;
    }
  });

  it('-1 is unlimited: limit and remaining say -1, used still counts', async () => {
    const asWriter = await (await newCompany({ plan: 'Especial' })).writer('production');
    await asWriter.create(minimalJob);
    expect((await asWriter.get('/account')).body.data.jobs).to.include({ limit: -1, used: 1, remaining: -1 });
  });

  it('a complimentary limit of 0 allows no create', async () => {
    const acme = await newCompany({ plan: null });
    await db().complimentaryGrant.create({ data: { companyId: acme.id, monthlyLimit: 0, startedOn: clock.now() } });
    const { status, body } = await (await acme.writer('production')).create(minimalJob);
    expect(status).to.equal(403);
    expect(body.error.details.reason).to.equal('quota');
  });

  it('the sandbox holds 100 jobs, also under simultaneous creates, and never touches the production quota', async () => {
    const acme = await newCompany({ plan: 'Pro' });
    const asWriter = await acme.writer('sandbox');
    const answers = await statuses(times(110, () => asWriter.create(minimalJob)));
    expect(count(answers, 201)).to.equal(100);
    expect(count(answers, 403)).to.equal(10);
    const { jobs } = (await asWriter.get('/account')).body.data;
    expect(jobs).to.deep.equal({ limit: 100, used: 100, remaining: 0, period_start: null, period_end: null });
    expect((await (await acme.reader('production')).get('/account')).body.data.jobs.used).to.equal(0);
  });

  it('of simultaneous creates for the last place, those with the key that gets it replay it, the others get 403', async () => {
    const acme = await newCompany({ plan: null });
    await db().complimentaryGrant.create({ data: { companyId: acme.id, monthlyLimit: 1, startedOn: clock.now() } });
    const asWriter = await acme.writer('production');
    const keys = times(20, (n) => (n % 4 ? 'one' : `other-${n}`));
    const answers = await Promise.all(keys.map((key) => asWriter.create(minimalJob, key)));
    const made = keys[answers.findIndex(({ status }) => status === 201)];
    for (const [n, { status, body }] of answers.entries()) {
      if (keys[n] === made) expect(status).to.be.oneOf([200, 201]);
      else expect(body.error?.details).to.include({ reason: 'quota', limit: 1, used: 1 });
    }
    expect(
      count(
        answers.map(({ status }) => status),
        201,
      ),
    ).to.equal(1);
  });

  it('a replay needs no quota', async () => {
    const acme = await newCompany({ plan: null });
    await db().complimentaryGrant.create({ data: { companyId: acme.id, monthlyLimit: 1, startedOn: clock.now() } });
    const asWriter = await acme.writer('production', server());
    expect((await asWriter.create(minimalJob, 'only')).status).to.equal(201);
    expect((await asWriter.create(minimalJob, 'only')).status).to.equal(200);
    expect((await asWriter.create(minimalJob, 'other')).status).to.equal(403);
  });
});
