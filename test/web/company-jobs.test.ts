import { expect } from 'chai';
import { suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newJob, type TestCompany } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import { asAdministrator, asPerson, has, linkIn, textOf, textsOf, tokenIn, valueIn } from '../helper/page-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';

describe('the jobs page of a company', () => {
  it('lists one environment at a time, newest first, filtered by status', async () => {
    const { acme, writer } = await newJob('production', { title: 'Primeira <b>' });
    await newJob('production', { title: 'Alheia' });
    await writer.withdraw((await writer.create({ ...minimalJob, title: 'Segunda' })).body.data.id);
    await (await acme.writer()).create({ ...minimalJob, title: 'Só na sandbox' });
    const client = await asPerson(acme, 'sub');
    for (const [query, ...titles] of [
      ['', 'Segunda', 'Primeira <b>'],
      ['environment=sandbox', 'Só na sandbox'],
      ['environment=production&status=inactive', 'Segunda'],
      ['environment=nowhere&status=none&page=x', 'Segunda', 'Primeira <b>'],
      ['status=denied'],
    ] as const)
      expect(textsOf(await client.get(`/jobs?${query}`), 'tbody th'), query).to.deep.equal(titles);
    expect(valueIn(await client.get('/jobs?status=denied'), '#status')).to.equal('denied');
  });
});

describe('the page of one job', () => {
  for (const portal of ['company', 'administrator'] as const)
    it(`${portal}: shows the sanitized body, other fields as text, the reason for denial, and the history in pages of fifty`, async () => {
      const body = '<p onclick="x()">Bom <strong>salário</strong><script>alert(1)</script></p>';
      const job = await newJob('production', { ...fullJob(), body, requirements: '<b>Carta</b>' });
      await denyJob(actionContext(), { ...job.ref, reason: 'Falta a <i>morada</i>.' });
      const edit = { ...job.ref, createdAt: new Date(0), kind: 'updated', status: 'pending' } as const;
      await insertEvents(Array.from({ length: 109 }, (_, i) => ({ ...edit, actor: `edit ${i}` })));
      const client = portal === 'company' ? await asPerson(job.acme, 'sub') : await asAdministrator();
      const first = portal === 'company' ? job.path : job.adminPath;
      const page = await client.get(first);
      expect(page.document.querySelector('.job-body')?.innerHTML).to.equal('<p>Bom <strong>salário</strong></p>');
      expect(textOf(page, '.facts')).to.contain('<b>Carta</b>');
      expect(textOf(page, 'main')).to.contain('Falta a <i>morada</i>.');
      const seen: string[][] = [];
      for (let at = first; at; ) {
        const older = await client.get(at);
        seen.push(textsOf(older, 'tbody tr'));
        at = linkIn(older, 'a[rel=next]');
      }
      expect(seen.map(({ length }) => length)).to.deep.equal([50, 50, 11]);
      expect(seen[2]?.[0]).to.match(/Job created.*Pending.*test/);
      expect(seen[2]?.[1]).to.match(/Job denied.*Denied/);
    });

  it('shows the job as candidates see it in their language, beside the API’s answer', async () => {
    const { acme, writer, id, path } = await newJob('production', fullJob());
    const visitor = await asPerson(acme, 'sub');
    const page = await visitor.get(path);
    expect(textOf(page, '[aria-labelledby=preview]')).to.include('€1,200.50 to €1,500.00 a month');
    expect(textOf(await visitor.get(path, { 'Accept-Language': 'pt' }))).to.match(/1200,50\s€ a 1500,00\s€ por mês/);
    const { body } = await writer.get(`/jobs/${id}`);
    const source = page.document.querySelector('details pre')?.textContent ?? '';
    expect({ ...body.data, ...JSON.parse(source) }).to.deep.equal(body.data);
  });
});

async function posted(environment: 'sandbox' | 'production' = 'production') {
  const job = await newJob(environment, { title: 'Vaga <b>' });
  return { ...job, main: await asPerson(job.acme) };
}

async function denied() {
  const job = await posted();
  await denyJob(actionContext(), { ...job.ref, reason: 'Falta o <salário>.' });
  return job;
}

const auditsOf = (acme: TestCompany, action: string) =>
  db().auditEntry.count({ where: { companyId: acme.id, action } });

async function expectByUser(acme: TestCompany, expected: string, jobId: number): Promise<void> {
  const { action, actor, details } = await lastAudit(acme.id);
  expect([action, actor.split(':')[0]]).to.deep.equal([expected, 'user']);
  expect(details).to.include({ job_id: jobId });
}

it('withdrawing a job in the dashboard names it, and happens once', async () => {
  const { acme, id, statusOf, main, path } = await posted('sandbox');
  const asked = await main.get(linkIn(await main.get(path), 'a[href$="/withdraw"]'));
  expect(textOf(asked, 'main')).to.include('Vaga <b>');
  const done = await main.follow(await main.submit(asked, `${path}/withdraw`));
  expect([await statusOf(), has(done, 'a[href$="/withdraw"]')]).to.deep.equal(['inactive', false]);
  const email = textOf(done, '.person a').replace(/^.*: /, '');
  expect(textOf(done, 'tbody tr:last-child')).to.include('Job withdrawn').and.include(email);
  await expectByUser(acme, 'job.withdrawn', id);
  const again = await main.submit(asked, `${path}/withdraw`);
  expect([again.status, await auditsOf(acme, 'job.withdrawn')]).to.deep.equal([303, 1]);
  expect(has(await main.follow(await main.get(`${path}/withdraw`)), '.notice')).to.equal(true);
});

describe('sending a denied job to review again', () => {
  it('shows the reason and the last change, and makes the job pending as a PATCH does', async () => {
    const { acme, writer, id, ref, main, path, adminPath } = await denied();
    const page = await main.get(path);
    expect(textOf(page, '#denial')).to.match(/Falta o <salário>\..*by test\..*Change the job/);
    const done = await main.follow(await main.submit(page, `${path}/resubmit`));
    expect([has(done, '.notice'), has(done, '#denial')]).to.deep.equal([true, false]);
    const email = textOf(done, '.person a').replace(/^.*: /, '');
    expect(textOf(done, 'tbody tr:last-child')).to.match(new RegExp(`Job sent to review again.*Pending.*${email}`));
    await expectByUser(acme, 'job.resubmitted', id);
    // A synchronising program sees this like a PATCH.
    const { data } = (await writer.get('/jobs?updated_since=2020-01-01T00:00:00Z')).body;
    expect(data.map((one: { id: number; status: string }) => [one.id, one.status])).to.deep.equal([[id, 'pending']]);
    // The reason is kept for the company and the next reviewer.
    for (const [client, at] of [
      [main, path],
      [await asAdministrator(), adminPath],
    ] as const)
      expect(textsOf(await client.get(at), 'tbody td:nth-child(2)')[1]).to.equal('Job denied: Falta o <salário>.');
    // Denied again, it is as it was when created.
    await denyJob(actionContext(), { ...ref, reason: 'Ainda falta.' });
    expect(textOf(await main.get(path), '#denial')).to.match(/Not changed since.*by test\./);
    await writer.patch(id, { title: 'Com salário' });
    expect(textOf(await main.get(path), 'tbody tr:last-child')).to.match(/Job changed.*Pending.*test/);
  });

  it('is not offered once the job is withdrawn, which its owner may still change', async () => {
    const { writer, id, main, path, adminPath } = await denied();
    await writer.withdraw(id);
    for (const [client, at] of [
      [main, path],
      [await asAdministrator(), adminPath],
    ] as const)
      expect(has(await client.get(at), '[action*="/resubmit"], [href*="/resubmit"]'), at).to.equal(false);
    const page = await main.get(path);
    expect(has(page, `main > .actions a[href$="/update"]`)).to.equal(true);
    expect(textOf(page, 'main')).to.include('Job denied: Falta o <salário>.');
  });

  it('tells a sub-account who may do it, and does not suggest changing or replacing anything', async () => {
    const { acme, main, path } = await denied();
    await acme.issue('production', 'read', 7);
    const sub = await asPerson(acme, 'sub');
    const page = await sub.get(path);
    expect(textOf(page, '#denial')).to.match(/Falta o <salário>\..*Only the company's main account may/);
    expect(has(page, '#denial :is(form, .actions)')).to.equal(false);
    for (const at of ['/', '/credentials']) expect(textOf(await sub.get(at), 'main')).not.to.match(/Change|Replace/);
    const overview = textsOf(await main.get('/'), '.alert');
    expect(overview.join()).to.match(/Change them, or.*Replace those/);
  });

  it('changes nothing if the job is no longer denied or was changed, or if the version is malformed', async () => {
    const { acme, writer, id, main, path } = await denied();
    const page = await main.get(path);
    for (const version of ['', 'x', '1', '99999999999'])
      expect((await main.submit(page, `${path}/resubmit`, { version })).status, version).to.equal(422);
    await writer.patch(id, { title: 'Com salário' });
    const late = await main.submit(page, `${path}/resubmit`);
    expect(late.status).to.equal(422);
    expect(textOf(late, '[role=alert]')).to.include('not denied');
    expect(await auditsOf(acme, 'job.resubmitted')).to.equal(0);
  });

  it('is refused if production is closed to the company, and the page says why', async () => {
    const { acme, main, path } = await denied();
    const open = await main.get(path);
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Falta de pagamento.' });
    const closed = await main.get(path);
    expect(textOf(closed, '#denial')).to.include('Company suspended');
    expect(has(closed, 'form[action$="/resubmit"]')).to.equal(false);
    expect((await main.submit(open, `${path}/resubmit`)).status).to.equal(403);
    expect(await auditsOf(acme, 'job.resubmitted')).to.equal(0);
  });

  it('a sandbox job is never denied, so it has no such form', async () => {
    const { main, path } = await posted('sandbox');
    const page = await main.get(path);
    expect(has(page, 'form[action$="/resubmit"]')).to.equal(false);
    expect((await main.post(`${path}/resubmit`, { _csrf: tokenIn(page), version: '1' })).status).to.equal(422);
  });
});
