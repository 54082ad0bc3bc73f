import { expect } from 'chai';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { actionContext, clock, newCompany, startWholeApp } from '../helper/fixtures.ts';
import { asAdministrator, newUser, type Page, PageClient } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const dayMs = 86_400_000;

/** The rows of a chart's table without its head, by the id of the chart's title. */
function rowsOf({ document }: Page, id: string): string[][] {
  const figure = document.getElementById(`${id}-title`)?.closest('figure');
  return [...(figure?.querySelectorAll('tbody tr') ?? [])].map((row) =>
    [...row.children].map((cell) => cell.textContent ?? ''),
  );
}

describe('the charts of the dashboard', () => {
  afterEach(() => {
    clock.aheadMs = 0;
  });

  it('show requests by status and latency of each of seven days, with the same values as a table', async () => {
    const acme = await newCompany();
    const { server: logged, settle } = await startWholeApp();
    const reader = await acme.reader('sandbox', logged);
    await reader.get('/account');
    await reader.get('/jobs/0');
    await settle();
    clock.aheadMs = dayMs;
    await reader.get('/account');
    await settle();
    const page = await (await PageClient.signedIn('company', await newUser(acme))).get('/requests?environment=sandbox');
    const days = rowsOf(page, 'per-day');
    expect(days).to.have.length(7);
    expect(days.map(([, ...counts]) => counts.join(' ')).slice(4)).to.deep.equal(['0 0 0', '1 1 0', '1 0 0']);
    expect(rowsOf(page, 'latency')).to.have.length(7);
    const links = [...page.document.querySelectorAll('figure a')].map((link) => link.getAttribute('href'));
    for (const status of ['2xx', '4xx'])
      expect(links).to.include(`/dashboard/requests?environment=sandbox&status=${status}`);
    const own = await PageClient.signedIn('company', await newUser(await newCompany()));
    expect((await own.get('/requests')).document.querySelectorAll('figure')).to.have.length(0);
  });

  it('show the postings of the period day by day, and jobs by status', async () => {
    const acme = await newCompany();
    const writer = await acme.writer('production');
    for (const count of [1, 2]) await writer.create({ ...minimalJob, title: `Oferta ${count}` });
    const page = await (await PageClient.signedIn('company', await newUser(acme))).get('');
    expect(rowsOf(page, 'postings').map(([, jobs]) => jobs)).to.deep.equal(['2']);
    expect(rowsOf(page, 'by-status')[0]).to.deep.equal(['Pending', '2']);
  });
});

describe('charts without anything to see', () => {
  it('say so in a sentence', async () => {
    const page = await (await PageClient.signedIn('company', await newUser(await newCompany()))).get('');
    const figures = [...page.document.querySelectorAll('figure')].map((figure) => figure.textContent);
    expect(figures).to.deep.equal([
      'Jobs posted in the periodNo jobs posted in this period yet.',
      'Jobs by statusNo jobs in production yet.',
    ]);
    expect(page.document.querySelectorAll('svg')).to.have.length(0);
  });
});

describe('the charts of the administration', () => {
  it('show waiting jobs by age and denials by reason', async () => {
    const acme = await newCompany();
    const writer = await acme.writer('production');
    const made = [await writer.create(minimalJob), await writer.create(minimalJob)];
    const jobId = BigInt(made[0]?.body.data.id);
    const reason = `Falta o salário, ${acme.id}.`;
    await denyJob(actionContext(), { companyId: acme.id, environment: 'production', jobId, reason });
    const page = await (await asAdministrator()).get('');
    const [youngest = []] = rowsOf(page, 'by-age');
    expect(Number(youngest[1])).to.be.at.least(1);
    expect(rowsOf(page, 'denials')).to.deep.include([reason, '1']);
  });

  it('show refused requests of all companies by reason', async () => {
    const admin = await asAdministrator();
    const shown = async () =>
      new Map((await admin.get('').then((page) => rowsOf(page, 'refusals'))) as [string, string][]);
    const earlier = await shown();
    const { server: logged, settle } = await startWholeApp();
    for (const acme of [await newCompany(), await newCompany()]) {
      const reader = await acme.reader('sandbox', logged);
      for (const path of ['/jobs/0', '/jobs/999999', '/jobs?page=0', '/account']) await reader.get(path);
    }
    await settle();
    const later = await shown();
    const more = (reason: string) => Number(later.get(reason)) - Number(earlier.get(reason) ?? 0);
    // Other tests' entries may be written meanwhile.
    expect(more('No such job')).to.be.at.least(4);
    expect(more('Invalid fields')).to.be.at.least(2);
  });
});
