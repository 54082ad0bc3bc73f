import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
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
    expect(textOf(page, '[aria-labelledby=production]')).to.match(/Complimentary.*0 jobs posted, no limit/);
    expect(page.document.querySelector('[aria-labelledby=production-quota]')).to.equal(null);
  });

  it('lists everything that keeps production closed', async () => {
    const { acme, client } = await signedIn({ plan: null, approved: false });
    const closed = textOf(await client.get('/'), '[aria-labelledby=production] .badge');
    expect(closed).to.equal('Closed: Plan not eligible, Waiting for approval');
    await suspendCompany(actionContext(), { companyId: acme.id });
    const page = await client.get('/');
    expect(textOf(page, '[aria-labelledby=sandbox] .badge')).to.equal('Closed: Company suspended');
  });

  it('draws the requests of the last hour and says how many there were', async () => {
    const { server, settle } = await startWholeApp();
    const acme = await newCompany();
    const writer = await acme.writer('sandbox', server);
    for (let i = 0; i < 3; i++) await writer.get('/account');
    await writer.get('/jobs/999999');
    await settle();
    const page = await (await PageClient.signedIn('company', await newUser(acme), server)).get('/');
    const chart = page.document.querySelector('[aria-labelledby=sandbox] svg');
    expect(chart?.querySelector('title')?.textContent).to.equal('4 requests in the last hour, 1 refused');
    expect(chart?.querySelectorAll('rect.series-0')).to.have.length(60);
    expect(page.document.querySelectorAll('[aria-labelledby=sandbox] tbody tr')).to.have.length(60);
    expect(textOf(page, '[aria-labelledby=production]')).to.contain('No requests in the last hour.');
    expect(page.document.querySelector('[aria-labelledby=production] svg')).to.equal(null);
  });
});
