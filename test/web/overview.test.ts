import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, type CompanyOptions, newCompany, startWholeApp } from '../helper/fixtures.ts';
import { newUser, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

async function signedIn(options: CompanyOptions = {}) {
  const acme = await newCompany(options);
  const client = await PageClient.signedIn('company', await newUser(acme));
  return { acme, client };
}

describe('the overview', () => {
  it('shows plan, access type, quota with its period and what is left, and sandbox usage', async () => {
    const { acme, client } = await signedIn({ plan: 'Pro' });
    await (await acme.writer('production')).create(minimalJob);
    await (await acme.writer()).create(minimalJob);
    const page = await client.get('/');
    const [production = '', sandbox = ''] = ['production', 'sandbox'].map((id) =>
      textOf(page, `[aria-labelledby=${id}]`),
    );
    expect(production).to.match(/Open.*Pro.*Subscription/);
    expect(production).to.match(/1 of \d+ jobs used, \d+ left, from \d+ \w+ \d{4} to \d+ \w+ \d{4}/);
    expect(sandbox).to.contain('1 of 100 jobs used since the last reset, 99 left');
    const bar = page.document.querySelector('[aria-labelledby=production-quota]');
    expect(bar?.getAttribute('value')).to.equal('1');
    expect(Number(bar?.getAttribute('max'))).to.be.above(1);
  });

  it('an unlimited quota has no progress bar', async () => {
    const { acme, client } = await signedIn({ plan: null });
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: -1 });
    const page = await client.get('/');
    const production = textOf(page, '[aria-labelledby=production]');
    expect(production).to.include('Complimentary').and.include('0 jobs posted, no limit');
    expect(page.document.querySelector('[aria-labelledby=production-quota]')).to.equal(null);
  });

  it('lists everything that keeps production closed', async () => {
    const { acme, client } = await signedIn({ plan: null, approved: false });
    const closed = textOf(await client.get('/'), '[aria-labelledby=production] .badge');
    expect(closed).to.equal('Closed: Plan not eligible, Waiting for approval');
    await suspendCompany(actionContext(), { companyId: acme.id });
    const page = await client.get('/');
    expect(textOf(page, '[aria-labelledby=sandbox] .badge')).to.equal('Closed: Company suspended');
    for (const path of ['/', '/jobs', '/account', '/nothing'])
      expect(textOf(await client.get(path), 'main > :first-child'), path).to.include('Your company is suspended.');
  });

  it('warns of a quota that is nearly or wholly used up, with the day of the next period', async () => {
    const { acme, client } = await signedIn({ plan: null });
    const writer = await acme.writer('production');
    for (const [limit, posts, warning, badge] of [
      [5, 4, /^Nearly used up\. The next period begins on \d+ \w+ \d{4}\.$/, 'Quota nearly used up'],
      [5, 1, /^Used up\. New jobs are refused until the next period begins on \d+ \w+ \d{4}\.$/, 'Quota used up'],
    ] as const) {
      await grantComplimentary(actionContext(), { companyId: acme.id, limit });
      for (let i = 0; i < posts; i++) expect((await writer.create(minimalJob)).status).to.equal(201);
      const page = await client.get('/');
      expect(textOf(page, '[aria-labelledby=production] .alert')).to.match(warning);
      expect(textOf(page, '[aria-labelledby=production] .badge')).to.equal(badge);
    }
  });

  it('shows denied jobs with their reasons, until they are withdrawn', async () => {
    const { acme, client } = await signedIn();
    const writer = await acme.writer('production');
    const jobId = (await writer.create({ ...minimalJob, title: 'Pintor' })).body.data.id;
    const job = { companyId: acme.id, environment: 'production', jobId: BigInt(jobId) } as const;
    await denyJob(actionContext(), { ...job, reason: 'Falta o salário.' });
    const page = await client.get('/');
    expect(textOf(page, '.alert li')).to.equal('Pintor: Falta o salário.');
    expect(page.document.querySelector('.alert li a')?.getAttribute('href')).to.equal(
      `/dashboard/jobs/production/${jobId}`,
    );
    await writer.withdraw(jobId);
    expect((await client.get('/')).document.querySelector('.alert')).to.equal(null);
  });

  it('leads a new company through its first steps, and leaves them out when they are done', async () => {
    const { acme, client } = await signedIn();
    const steps = async () =>
      [...(await client.get('/')).document.querySelectorAll('[aria-labelledby=first-steps] li')].map((step) =>
        /Done$/.test(step.textContent?.trim() ?? ''),
      );
    expect(await steps()).to.deep.equal([false, false, true]);
    const writer = await acme.writer('sandbox');
    expect(await steps()).to.deep.equal([true, false, true]);
    await writer.create(minimalJob);
    expect(await steps()).to.deep.equal([]);
  });

  it('draws the requests of the last hour and says how many there were', async () => {
    const { server, settle } = await startWholeApp();
    const acme = await newCompany();
    const writer = await acme.writer('sandbox', server);
    for (let i = 0; i < 3; i++) await writer.get('/account');
    await writer.get('/jobs/999999');
    await settle();
    const page = await (await PageClient.signedIn('company', await newUser(acme), server)).get('/');
    expect(textOf(page, '[aria-labelledby=sandbox] figcaption')).to.equal('4 requests in the last hour, 1 refused');
    const refused = page.document.querySelectorAll('[aria-labelledby=sandbox] svg a[href$="&status=4xx"] title');
    expect([...refused].map((title) => title.textContent?.replace(/^.*: /, ''))).to.deep.equal(['1 Refused']);
    expect(page.document.querySelectorAll('[aria-labelledby=sandbox] tbody tr')).to.have.length(60);
    expect(textOf(page, '[aria-labelledby=production]')).to.contain('No requests in the last hour.');
    expect(page.document.querySelector('[aria-labelledby=production] svg')).to.equal(null);
  });
});
