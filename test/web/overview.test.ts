import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { endSubscription, setSubscription } from '../../src/operations/companies/people/set-subscription.ts';
import { removeJob } from '../../src/operations/jobs/people/remove-job.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { dayText } from '../../src/web/texts/formats.ts';
import {
  actionContext,
  type CompanyOptions,
  db,
  later,
  newCompany,
  newJob,
  startWholeApp,
} from '../helper/fixtures.ts';
import { asAdministrator, asPerson, has, linkIn, type Page, textOf, textsOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

async function signedIn(options: CompanyOptions = {}) {
  const acme = await newCompany(options);
  return { acme, client: await asPerson(acme) };
}

describe('the overview', () => {
  it('shows plan, access type, the quota with its period and remaining postings, and sandbox usage; postings day by day and jobs by status', async () => {
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
    expect(rowsOf(page, 'postings').map(([, jobs]) => jobs)).to.deep.equal(['1']);
    expect(rowsOf(page, 'by-status')[0]).to.deep.equal(['Pending', '1']);
  });

  it('lists everything that keeps production closed', async () => {
    const { acme, client } = await signedIn({ plan: null, approved: false });
    const closed = textOf(await client.get('/'), '[aria-labelledby=production] .badge');
    expect(closed).to.equal('Closed: No plan that includes production, Not approved');
    await suspendCompany(actionContext(), { companyId: acme.id });
    expect(textOf(await client.get('/'), '[aria-labelledby=sandbox] .badge')).to.equal('Closed: Company suspended');
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

  it('a plan or grant with a last day names it, and a quota used up by then promises no next period', async () => {
    const { acme, client } = await signedIn({ plan: null });
    const ctx = actionContext();
    const ends = dayText(ctx.today, 'en-GB');
    await setSubscription(ctx, { companyId: acme.id, plan: 'Pro', until: ctx.today });
    await grantComplimentary(ctx, { companyId: acme.id, limit: 1, until: ctx.today });
    const shown = async () => [await client.get('/'), await (await asAdministrator()).get(`/companies/${acme.id}`)];
    for (const page of await shown()) {
      expect(textOf(page, '#production-quota')).to.match(new RegExp(`^Plan: .* to ${ends}\\.$`));
      const facts = textsOf(page, '.facts dd').join('; ');
      for (const name of ['Pro', '1 job per month']) expect(facts).to.contain(`${name} since ${ends}, until ${ends}`);
    }
    const writer = await acme.writer('production');
    expect((await writer.get('/account')).body.data.jobs).to.include({ period_end: ctx.today });
    await endSubscription(ctx, { companyId: acme.id });
    await writer.create(minimalJob);
    for (const page of await shown()) {
      expect(textOf(page, '#production-quota')).to.match(/^Complimentary access: 1 of 1 job used, 0 left,/);
      expect(textsOf(page, '[aria-labelledby=production] .alert').join()).to.equal(
        `Used up. New jobs are refused. Complimentary access ends on ${ends}.`,
      );
    }
  });

  it('of jobs that count as posted, says which are not in the chart: those deleted permanently', async () => {
    const { acme, client } = await signedIn();
    const writer = await acme.writer('production');
    const ids = [await writer.create(minimalJob), await writer.create(minimalJob)].map(({ body }) => body.data.id);
    for (const [left, id] of ids.entries()) {
      await writer.withdraw(id);
      const ref = { companyId: acme.id, environment: 'production', jobId: BigInt(id) } as const;
      await removeJob(actionContext(), { ...ref, reason: 'Engano.' });
      const page = await client.get('/');
      expect(textOf(page, '#production-quota')).to.include('2 jobs');
      const jobs = left === 0 ? '1 job' : '0 jobs';
      const said = `${jobs} posted since the period began, not counting deleted ones.`;
      expect(textOf(page, 'figure:has(#postings-title) > p')).to.equal(said);
    }
  });

  it('names the allowance that counts the postings, and says that the chart has those of both', async () => {
    const { acme, client } = await signedIn({ plan: 'Pro' });
    const writer = await acme.writer('production');
    const shown = async () => {
      const page = await client.get('/');
      return [
        textOf(page, '#production-quota').replace(/( jobs? \w+).*/, '$1'),
        textOf(page, 'figure:has(#postings-title)'),
      ];
    };
    await writer.create(minimalJob);
    expect((await shown())[1]).to.not.include('complimentary');
    await grantComplimentary(actionContext(), { companyId: acme.id, limit: -1 });
    for (let n = 0; n < 2; n++) await writer.create(minimalJob);
    const all =
      /3 jobs posted since the period began, not counting deleted ones\. With the plan and with complimentary access\./;
    const [granted, both] = await shown();
    expect(granted).to.equal('Complimentary access: 2 jobs posted');
    expect(both).to.match(all);
    await endComplimentary(actionContext(), { companyId: acme.id });
    const [ended, still] = await shown();
    expect(ended).to.match(/^Plan: 1 of \d+ jobs used$/);
    expect(still).to.match(all);
  });

  it('shows denied jobs with their reasons until they are withdrawn; to a sub-account below the state, as what only the main account can do', async () => {
    const { acme, writer, id, ref, path } = await newJob('production', { title: 'Pintor' });
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    await acme.issue('sandbox', 'read', 10);
    const main = await asPerson(acme);
    const [own, sub] = [await main.get('/'), await (await asPerson(acme, 'sub')).get('/')];
    expect(textsOf(own, '.alert li')[0]).to.equal('Pintor: Falta o salário.');
    expect(linkIn(own, '.alert li a')).to.equal(`/dashboard${path}`);
    const order = (page: Page) =>
      textsOf(page, '.alert, [aria-labelledby=production]').map((text) =>
        text.startsWith('Production') ? 'state' : text.replace(/^.*(Only the company's main account).*$/, '$1'),
      );
    const only = "Only the company's main account";
    expect(order(sub)).to.deep.equal(['state', only, only]);
    expect(order(own).at(-1)).to.equal('state');
    await writer.withdraw(id);
    expect(textOf(await main.get('/'), '.alert')).to.not.include('Pintor');
  });

  it('says to a new company that there is nothing to show, and leads it through its first steps, without completed ones', async () => {
    const { acme, client } = await signedIn();
    const figures = textsOf(await client.get('/'), 'figure');
    expect(figures).to.have.length(2);
    for (const figure of figures) expect(figure).to.match(/No jobs .* yet\.$/);
    const steps = async () =>
      textsOf(await client.get('/'), '[aria-labelledby=first-steps] li').map((step) => step.endsWith('Done'));
    expect(await steps()).to.deep.equal([false, false, true]);
    const writer = await acme.writer('sandbox');
    expect(await steps()).to.deep.equal([true, false, true]);
    await writer.create(minimalJob);
    expect(await steps()).to.deep.equal([]);
  });

  it('says in the first steps what the API answers before verification, and to a sub-account what is done for it', async () => {
    const acme = await newCompany({ verified: false, plan: null, approved: false });
    await acme.writer('sandbox');
    const steps = async (role: 'main' | 'sub') =>
      textsOf(await (await asPerson(acme, role)).get('/'), '[aria-labelledby=first-steps] li');
    const unverified = /^An administrator must verify the company first\. Until then, the API answers 403\./;
    expect((await steps('main'))[0]).to.match(unverified);
    const [first, issue] = await steps('sub');
    expect(first).to.match(unverified);
    expect(issue).to.equal("Your company's main account issues a credential for the sandbox. Done");
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
  it('show the requests of the last hour, and of each of seven days by status, and latency, with the same values as a table', async () => {
    const { server, settle } = await startWholeApp();
    const acme = await newCompany();
    const reader = await acme.reader('sandbox', server);
    for (const path of ['/account', '/account', '/jobs/0']) await reader.get(path);
    await reader.get('/account', { 'X-Simulate': '503' });
    await settle();
    const page = await (await asPerson(acme)).get('/');
    const within = (selector: string) => textsOf(page, `[aria-labelledby=sandbox] ${selector}`);
    expect(within('figcaption').join()).to.equal('4 requests in the last hour: 1 refused, 1 failed');
    for (const [status, count] of [['400-498', '1 Refused (4xx)'], ['499-5xx', '1 Failed (5xx, no answer)']]) // biome-ignore format: a table
      expect(within(`svg a[href$="&status=${status}"] title`).join()).to.match(
        new RegExp(`: ${count?.replace(/[()]/g, '.')}$`),
      );
    expect(within('tbody tr')).to.have.length(60);
    const ticks = within('svg[role=group] > text');
    expect(ticks, 'round times').to.have.length(4);
    for (const tick of ticks) expect(tick).to.match(/:(00|15|30|45)$/);
    expect(within('.chart').join()).to.contain('Select a bar or a name to list what it counts.');
    expect(textOf(page, '[aria-labelledby=production]')).to.contain('No requests');
    expect(has(page, '[aria-labelledby=production] svg')).to.equal(false);
    await later(86_400_000, async () => {
      await reader.get('/account');
      await settle();
      const list = await (await asPerson(acme, 'sub')).get('/requests?environment=sandbox');
      const days = rowsOf(list, 'per-day').map(([, ...counts]) => counts.join(' '));
      expect(days).to.deep.equal([...Array(5).fill('0 0 0'), '2 1 1', '1 0 0']);
      expect(rowsOf(list, 'latency'), 'only days with requests').to.have.length(2);
      const links = [...list.document.querySelectorAll('figure a')].map((link) => link.getAttribute('href'));
      for (const status of ['2xx-3xx', '400-498', '499-5xx']) expect(links.join()).to.contain(`&status=${status}`);
    });
    expect(has(await (await asPerson(await newCompany())).get('/requests'), 'figure')).to.equal(false);
  });
});

describe('the charts of the administration', () => {
  it('show waiting jobs by age, denials by reason and refused requests of all companies by reason', async () => {
    const admin = await asAdministrator();
    const refusals = async () => new Map(rowsOf(await admin.get(''), 'refusals') as [string, string][]);
    // Only the most frequent reasons are shown, and the requests of earlier tests have others.
    await db().$executeRaw`DELETE FROM request_log`;
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
    // No list has the denials of exactly one reason.
    expect(has(page, '[aria-labelledby=denials] a, figure:has(#denials-title) a')).to.equal(false);
  });
});
