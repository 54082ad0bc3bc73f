import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/change-company.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { newUser, PageClient, textOf, tokenIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

type Environment = 'sandbox' | 'production';

async function posted(environment: Environment = 'production') {
  const acme = await newCompany();
  const writer = await acme.writer(environment);
  const id: number = (await writer.create({ ...minimalJob, title: 'Vaga <b>' })).body.data.id;
  const statusOf = async () => (await writer.get(`/jobs/${id}`)).body.data.status;
  const main = await PageClient.signedIn('company', await newUser(acme));
  return { acme, writer, id, statusOf, main, path: `/jobs/${environment}/${id}` };
}

async function denied() {
  const fixture = await posted();
  const ref = { companyId: fixture.acme.id, environment: 'production', jobId: BigInt(fixture.id) } as const;
  await denyJob(actionContext(), { ...ref, reason: 'Falta o <salário>.' });
  return fixture;
}

const auditsOf = (acme: TestCompany, action: string) =>
  db().auditEntry.count({ where: { companyId: acme.id, action } });

const inPortuguese = { 'Accept-Language': 'pt' };

describe('withdrawing a job in the dashboard', () => {
  for (const environment of ['sandbox', 'production'] as const)
    it(`${environment}: says what will happen, asks, and makes the job inactive`, async () => {
      const { acme, statusOf, main, path } = await posted(environment);
      const asked = await main.get(`${path}/withdraw`);
      expect((await main.get(path)).document.querySelector(`a[href="/dashboard${path}/withdraw"]`)).not.to.equal(null);
      expect(textOf(asked, 'main')).to.include('Withdraw a job: Vaga <b>').and.include('no update publishes it again');
      expect(textOf(await main.get(`${path}/withdraw`, inPortuguese), 'main')).to.include(
        'Retirar uma oferta: Vaga <b>',
      );
      expect(await statusOf()).to.equal('pending');
      const done = await main.follow(await main.submit(asked, `${path}/withdraw`));
      expect(textOf(done, '.notice')).to.equal('The job is withdrawn.');
      expect(await statusOf()).to.equal('inactive');
      const email = textOf(done, '.person a').replace(/^.*: /, '');
      expect(textOf(done, 'tbody tr:last-child')).to.include('Job withdrawn').and.include(email);
      const { action, actor } = await lastAudit(acme.id);
      expect([action, actor.split(':')[0]]).to.deep.equal(['job.withdrawn', 'user']);
      expect(done.document.querySelector('a[href$="/withdraw"]')).to.equal(null);
      const again = await main.submit(asked, `${path}/withdraw`);
      expect([again.status, await auditsOf(acme, 'job.withdrawn')]).to.deep.equal([303, 1]);
      const notice = await main.follow(await main.get(`${path}/withdraw`));
      expect(textOf(notice, '.notice')).to.equal('The job is already withdrawn.');
    });
});

describe('sending a denied job to review again', () => {
  it('shows the reason and the last change, and makes the job pending as a PATCH does', async () => {
    const { acme, writer, id, statusOf, main, path } = await denied();
    const page = await main.get(path);
    expect(textOf(page, '#denial')).to.match(
      /Denied: Falta o <salário>\.Not changed since\. The last change was .*, by test\./,
    );
    expect(textOf(await main.get(path, inPortuguese), '#denial')).to.include('Recusada: Falta o <salário>.');
    const done = await main.follow(await main.submit(page, `${path}/resubmit`));
    expect(textOf(done, '.notice')).to.equal('The job waits for review again.');
    expect(await statusOf()).to.equal('pending');
    expect(done.document.querySelector('#denial')).to.equal(null);
    const email = textOf(done, '.person a').replace(/^.*: /, '');
    expect(textOf(done, 'tbody tr:last-child')).to.include('Job changed').and.include('Pending').and.include(email);
    const { action, actor, details } = await lastAudit(acme.id);
    expect([action, actor.split(':')[0]]).to.deep.equal(['job.resubmitted', 'user']);
    expect(details).to.deep.equal({ job_id: id });
    // A program that synchronises sees it, as it sees a PATCH.
    const changed = await writer.get('/jobs?updated_since=2020-01-01T00:00:00Z');
    expect(changed.body.data.map((one: { id: number; status: string }) => [one.id, one.status])).to.deep.equal([
      [id, 'pending'],
    ]);
  });

  it('changes nothing if the job is no longer denied or was changed, or the revision is no revision', async () => {
    const { acme, writer, id, main, path } = await denied();
    const page = await main.get(path);
    for (const revision of ['', 'x', '1', '99999999999'])
      expect((await main.submit(page, `${path}/resubmit`, { revision })).status, revision).to.equal(422);
    await writer.patch(id, { title: 'Com salário' });
    const late = await main.submit(page, `${path}/resubmit`);
    expect(late.status).to.equal(422);
    expect(textOf(late, '[role=alert]')).to.include('not denied');
    expect(await auditsOf(acme, 'job.resubmitted')).to.equal(0);
  });

  it('is refused to a company to which production is closed, and the page says why', async () => {
    const { acme, main, path } = await denied();
    const open = await main.get(path);
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Falta de pagamento.' });
    const closed = await main.get(path);
    expect(textOf(closed, '#denial')).to.include('Closed: Company suspended');
    expect(closed.document.querySelector('form[action$="/resubmit"]')).to.equal(null);
    expect((await main.submit(open, `${path}/resubmit`)).status).to.equal(403);
    expect(await auditsOf(acme, 'job.resubmitted')).to.equal(0);
  });

  it('a sandbox job is never denied, so it has no such form', async () => {
    const { main, path } = await posted('sandbox');
    const page = await main.get(path);
    expect(page.document.querySelector('form[action$="/resubmit"]')).to.equal(null);
    expect((await main.post(`${path}/resubmit`, { _csrf: tokenIn(page), revision: '1' })).status).to.equal(422);
  });
});
