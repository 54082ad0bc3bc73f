import { expect } from 'chai';
import { clock, db, newCompany, startApp } from '../helper/fixtures.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { count, statusesOf, times } from '../helper/times.ts';

describe('request limit', () => {
  it('a burst past the limit gets 429, also if it exceeds the company’s share of the in-flight limit', async () => {
    const limited = await startApp({ REQUESTS_PER_MINUTE: '8', MAX_IN_FLIGHT: '40' });
    const client = await (await newCompany()).reader('sandbox', limited);
    const answers = await statusesOf(times(30, () => client.get('/options')));
    expect([count(answers, 200), count(answers, 429)]).to.deep.equal([8, 22]);
  });

  it('the address limit answers 429 before authentication, and refused credentials use it up sooner', async () => {
    const secret = await (await newCompany()).secret('sandbox', 'read');
    const guessed = await startApp({ IP_REQUESTS_PER_MINUTE: '50' });
    const answers: number[] = [];
    for (let n = 0; n < 20; n++)
      answers.push((await new RestClient(guessed, 'sandbox', `vaga_test_${n}`).get('/options')).status);
    expect(count(answers, 401)).to.equal(5);
    const { status, body } = await new RestClient(guessed, 'sandbox', secret).get('/options');
    expect([status, body.error.details.reason]).to.deep.equal([429, 'address']);
  });
});

describe('posting quota', () => {
  const jobsOf = async (client: RestClient) => (await client.get('/account')).body.data.jobs;

  it('a new period begins on the day of the month on which the subscription began', async () => {
    const asWriter = await (await newCompany({ plan: 'Pro' })).writer('production');
    await asWriter.create(minimalJob);
    const first = await jobsOf(asWriter);
    clock.aheadMs = 32 * 86_400_000;
    const second = await jobsOf(asWriter);
    expect([first.used, second.used]).to.deep.equal([1, 0]);
    expect(second.period_start > first.period_end).to.equal(true);
  });

  it('-1 is unlimited: limit and remaining say -1, used still counts', async () => {
    const asWriter = await (await newCompany({ plan: 'Especial' })).writer('production');
    await asWriter.create(minimalJob);
    expect(await jobsOf(asWriter)).to.include({ limit: -1, used: 1, remaining: -1 });
  });

  it('of simultaneous creates for the last place, those with the key that gets it replay it, the others get 403', async () => {
    const acme = await newCompany({ plan: null });
    await db().complimentaryGrant.create({ data: { companyId: acme.id, monthlyLimit: 1, startedOn: clock.now() } });
    const asWriter = await acme.writer('production');
    const keys = times(20, (n) => (n % 4 ? 'one' : `other-${n}`));
    const answers = await Promise.all(keys.map((key) => asWriter.create(minimalJob, key)));
    const made = keys[answers.findIndex(({ status }) => status === 201)] ?? '';
    for (const [n, { status, body }] of answers.entries()) {
      if (keys[n] === made) expect(status).to.be.oneOf([200, 201]);
      else expect(body.error?.details).to.include({ reason: 'quota', limit: 1, used: 1 });
    }
    expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
    expect((await asWriter.create(minimalJob, made)).status, 'a replay needs no quota').to.equal(200);
  });
});
