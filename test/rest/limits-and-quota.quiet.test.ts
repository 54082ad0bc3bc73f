import { expect } from 'chai';
import { clock, db, newCompany, server, startApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const statuses = async (calls: Promise<{ status: number }>[]) => (await Promise.all(calls)).map(({ status }) => status);
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const count = <T>(values: T[], value: T): number => values.filter((other) => other === value).length;

describe('request limit', () => {
  it('a burst past the limit gets 429, also if it exceeds the company’s share of the in-flight limit', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '8', MAX_IN_FLIGHT: '40' });
    const client = await (await newCompany()).reader('sandbox', limited);
    const answers = await statuses(times(30, () => client.get('/options')));
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([8, 22]);
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
