import { expect } from 'chai';
import { lastAudit } from '../helper/audit-trail.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { newUser, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const form = '/sandbox/reset';

/** A company with two sandbox jobs and one production job. */
async function companyWithJobs() {
  const company = await newCompany();
  const [sandbox, production] = [await company.writer(), await company.writer('production')];
  await sandbox.create(minimalJob);
  await sandbox.create(minimalJob);
  await production.create(minimalJob);
  return company;
}

const jobsOf = async (companyId: bigint, environment: 'sandbox' | 'production') =>
  db().job.count({ where: { companyId, environment } });

describe('the sandbox page', () => {
  it('shows the used capacity, also to a company that has used none', async () => {
    const client = await PageClient.signedIn('company', await newUser(await companyWithJobs()));
    expect(textOf(await client.get('/sandbox'), '#usage')).to.equal(
      '2 of 100 jobs used since the last reset, 98 left.',
    );
    const fresh = await PageClient.signedIn('company', await newUser(await newCompany({ plan: null })));
    const page = await fresh.get('/sandbox');
    expect(textOf(page, '#usage')).to.contain('0 of 100');
    expect(page.document.querySelector('meter')?.getAttribute('max')).to.equal('100');
  });

  it('is reset only by the exact word; the form keeps what was typed', async () => {
    const acme = await companyWithJobs();
    const client = await PageClient.signedIn('company', await newUser(acme));
    for (const word of ['reset', 'Reset', 'RESETS', '']) {
      const page = await client.submit(await client.get('/sandbox'), form, { word });
      expect(page.status, word).to.equal(422);
      expect(textOf(page, '#word-error')).to.contain('Type RESET in capital letters');
      expect(page.document.querySelector('#word')?.getAttribute('value')).to.equal(word);
    }
    expect(await jobsOf(acme.id, 'sandbox')).to.equal(2);
  });

  it('a reset deletes jobs and keys; credentials, production and other companies stay', async () => {
    const [acme, other] = [await companyWithJobs(), await companyWithJobs()];
    const clients = [await acme.writer(), await acme.writer('production'), await other.writer()] as const;
    for (const each of clients) await each.create(minimalJob, 'kept');
    const client = await PageClient.signedIn('company', await newUser(acme));
    const answer = await client.submit(await client.get('/sandbox'), form, { word: 'RESET' });
    const page = await client.follow(answer);
    expect(textOf(page, '.notice')).to.contain('Jobs deleted: 3, idempotency keys: 3');
    expect(textOf(page, '#usage')).to.contain('0 of 100');
    const left = await Promise.all(clients.map(async (each) => (await each.get('/account')).body.data.jobs.used));
    expect(left).to.deep.equal([0, 2, 3]);
    expect([await jobsOf(acme.id, 'sandbox'), await jobsOf(acme.id, 'production')]).to.deep.equal([0, 2]);
    const again = await Promise.all(clients.map((each) => each.create(minimalJob, 'kept')));
    expect(again.map(({ status }) => status)).to.deep.equal([201, 200, 200]);
    const { action, actor, details } = await lastAudit(acme.id);
    expect(action).to.equal('sandbox.reset');
    expect(details).to.deep.equal({ jobs: 3, keys: 3 });
    expect(actor).to.match(/^user:\d+$/);
  });
});
