import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, type CompanyOptions, later, newCompany, newJob, startWholeApp } from '../helper/fixtures.ts';
import { asAdministrator, asPerson, has, linkIn, type Page, textOf, textsOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

async function signedIn(options: CompanyOptions = {}) {
  const acme = await newCompany(options);
  return { acme, client: await asPerson(acme) };
}

describe('the overview', () => {
  it('shows plan, access type, the quota with its period and remaining postings, and sandbox usage', async () => {
    const { acme, client } = await signedIn({ plan: 'Pro' });
    for (const environment of ['production', 'sandbox'] as const)
      await (await acme.writer(environment)).create(minimalJob);
    const page = await client.get('/');
    const production = textOf(page, '[aria-labelledby=production]');
    expect(production).to.match(/Open.*Pro.*Subscription/);
    expect(production).to.match(/1 of \d+ jobs used, \d+ left, from \d+ \w+ \d{4} to \d+ \w+ \d{4}/);
    expect(textOf(page, '[aria-labelledby=sandbox]')).to.match(/1 of 100 jobs used.*99 left/);
    const bar = page.document.querySelector('[aria-labelledby=production-quota]');
    expect(bar?.getAttribute('value')).to.equal('1');
    expect(Number(bar?.getAttribute('max'))).to.be.above(1);
  });

  it('lists everything that keeps production closed', async () => {
    const { acme, client } = await signedIn({ plan: null, approved: false });
    const closed = textOf(await client.get('/'), '[aria-labelledby=production] .badge');
    expect(closed).to.equal('Closed: Plan not eligible, Waiting for approval');
    await suspendCompany(actionContext(), { companyId: acme.id });
    expect(textOf(await client.get('/'), '[aria-labelledby=sandbox] .badge')).to.equal('Closed: Company suspended');
    for (const path of ['/', '/jobs', '/account', '/nothing'])
      expect(textOf(await client.get(path), 'main > :not(.printed)'), path).to.include('suspended');
  });

  it('warns of a nearly or completely used quota, with the day of the next period; without a limit there is no bar', async () => {
    const { acme, client } = await signedIn({ plan: null });
    const writer = await acme.writer('production');
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: 5 });
    for (const badge of ['Quota nearly used up', 'Quota used up']) {
      for (let n = badge.includes('nearly') ? 4 : 1; n > 0; n--) await writer.create(minimalJob);
      const page = await client.get('/');
      expect(textOf(page, '[aria-labelledby=production] .alert')).to.match(/ \d+ \w+ \d{4}\.$/);
      expect(textOf(page, '[aria-labelledby=production] .badge')).to.equal(badge);
    }
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: -1 });
    const page = await client.get('/');
    expect(textOf(page, '[aria-labelledby=production]')).to.match(/5 jobs posted, no limit.*Complimentary/);
    expect(has(page, '[aria-labelledby=production-quota]')).to.equal(false);
  });

  it('shows denied jobs with their reasons, until they are withdrawn', async () => {
    const { acme, writer, id, ref, path } = await newJob('production', { title: 'Pintor' });
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    const client = await asPerson(acme);
    const page = await client.get('/');
    expect(textsOf(page, '.alert li')).to.deep.equal(['Pintor: Falta o salário.']);
    expect(linkIn(page, '.alert li a')).to.equal(`/dashboard${path}`);
    await writer.withdraw(id);
    expect(has(await client.get('/'), '.alert')).to.equal(false);
  });

  it('shows a sub-account the state of both environments first, and then what only the main account can do', async () => {
    const { acme, ref } = await newJob();
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    await acme.issue('sandbox', 'read', 10);
    const order = async (role: 'main' | 'sub') =>
      textsOf(await (await asPerson(acme, role)).get('/'), '.alert, [aria-labelledby=production]').map((text) =>
        text.startsWith('Production') ? 'state' : text.replace(/^.*(Only the company's main account).*$/, '$1'),
      );
    const only = "Only the company's main account";
    expect(await order('sub')).to.deep.equal(['state', only, only]);
    expect((await order('main')).at(-1)).to.equal('state');
  });

  it('leads a new company through its first steps, and leaves out completed ones', async () => {
    const { acme, client } = await signedIn();
    const steps = async () =>
      textsOf(await client.get('/'), '[aria-labelledby=first-steps] li').map((step) => step.endsWith('Done'));
    expect(await steps()).to.deep.equal([false, false, true]);
    const writer = await acme.writer('sandbox');
    expect(await steps()).to.deep.equal([true, false, true]);
    await writer.create(minimalJob);
    expect(await steps()).to.deep.equal([]);
  });

  it('draws the requests of the last hour and says how many there were', async () => {
    const { server, settle } = await startWholeApp();
    const acme = await newCompany();
    const reader = await acme.reader('sandbox', server);
    for (const path of ['/account', '/account', '/account', '/jobs/999999']) await reader.get(path);
    await settle();
    const page = await (await asPerson(acme, 'main', server)).get('/');
    expect(textOf(page, '[aria-labelledby=sandbox] figcaption')).to.match(/^4 requests.*1 refused$/);
    const refused = textsOf(page, '[aria-labelledby=sandbox] svg a[href$="&status=4xx-5xx"] title');
    expect(refused.map((title) => title.replace(/^.*: /, ''))).to.deep.equal(['1 Refused']);
    expect(textsOf(page, '[aria-labelledby=sandbox] tbody tr')).to.have.length(60);
    const ticks = textsOf(page, '[aria-labelledby=sandbox] svg[role=group] > text');
    expect(ticks, 'round times').to.have.length(4);
    for (const tick of ticks) expect(tick).to.match(/:(00|15|30|45)$/);
    expect(textOf(page, '[aria-labelledby=sandbox] .chart')).to.contain(
      'Select a bar or a name to list what it counts.',
    );
    expect(textOf(page, '[aria-labelledby=production]')).to.contain('No requests');
    expect(has(page, '[aria-labelledby=production] svg')).to.equal(false);
  });
});

/** The rows of a chart's table without its head, by the id of the chart's title. */
function rowsOf({ document }: Page, id: string): string[][] {
  const figure = document.getElementById(`${id}-title`)?.closest('figure');
  return [...(figure?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children].map((cell) => (cell.textContent ?? '').replace(/^(\d+) \D.*/, '$1')),
  );
}

describe('the charts of the dashboard', () => {
  it('show each of seven days’ requests by status, and latency, with the same values as a table', async () => {
    const acme = await newCompany();
    const { server: logged, settle } = await startWholeApp();
    const reader = await acme.reader('sandbox', logged);
    for (const path of ['/account', '/jobs/0']) await reader.get(path);
    await settle();
    await later(86_400_000, async () => {
      await reader.get('/account');
      await settle();
      const page = await (await asPerson(acme)).get('/requests?environment=sandbox');
      const days = rowsOf(page, 'per-day').map(([, ...counts]) => counts.join(' '));
      expect(days).to.deep.equal([...Array(5).fill('0 0 0'), '1 1 0', '1 0 0']);
      expect(rowsOf(page, 'latency'), 'only days with requests').to.have.length(2);
      const links = [...page.document.querySelectorAll('figure a')].map((link) => link.getAttribute('href'));
      for (const status of ['2xx-3xx', '400-498']) expect(links.join()).to.contain(`&status=${status}`);
    });
    expect(has(await (await asPerson(await newCompany())).get('/requests'), 'figure')).to.equal(false);
  });

  it('show the postings of the period day by day, and jobs by status', async () => {
    const { acme, writer } = await newJob();
    await writer.create(minimalJob);
    const page = await (await asPerson(acme)).get('');
    expect(rowsOf(page, 'postings').map(([, jobs]) => jobs)).to.deep.equal(['2']);
    expect(rowsOf(page, 'by-status')[0]).to.deep.equal(['Pending', '2']);
  });

  it('say in a sentence that there is nothing to show', async () => {
    const page = await (await asPerson(await newCompany())).get('');
    const figures = textsOf(page, 'figure');
    expect(figures).to.have.length(2);
    for (const figure of figures) expect(figure).to.match(/No jobs .* yet\.$/);
    expect(has(page, 'svg')).to.equal(false);
  });
});

describe('the charts of the administration', () => {
  it('show waiting jobs by age, denials by reason and refused requests of all companies by reason', async () => {
    const admin = await asAdministrator();
    const refusals = async () => new Map(rowsOf(await admin.get(''), 'refusals') as [string, string][]);
    const earlier = await refusals();
    const { server: logged, settle } = await startWholeApp();
    for (const acme of [await newCompany(), await newCompany()]) {
      const reader = await acme.reader('sandbox', logged);
      for (const path of ['/jobs/0', '/jobs/999999', '/jobs?page=0', '/account']) await reader.get(path);
    }
    await settle();
    const more = async (reason: string) => Number((await refusals()).get(reason)) - Number(earlier.get(reason) ?? 0);
    // Other tests' entries may be written meanwhile.
    expect(await more('No such job')).to.be.at.least(4);
    expect(await more('Invalid fields')).to.be.at.least(2);
    await newJob();
    // More often than other tests' reasons, because only the most frequent ones are shown.
    const reason = `Falta o salário ${process.hrtime.bigint()}.`;
    for (let n = 0; n < 9; n++) await denyJob(actionContext(), { ...(await newJob()).ref, reason });
    const page = await admin.get('');
    expect(Number(rowsOf(page, 'by-age')[0]?.[1])).to.be.at.least(1);
    expect(rowsOf(page, 'denials')).to.deep.include([reason, '9']);
  });
});
