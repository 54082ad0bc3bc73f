import { expect } from 'chai';
import { reinstateCompany, suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { actionContext, db, newJob } from '../helper/fixtures.ts';
import { insertEvents } from '../helper/insert-events.ts';
import {
  accountAt,
  asAdministrator,
  asPerson,
  has,
  linkIn,
  newAdministrator,
  PageClient,
  textOf,
  textsOf,
} from '../helper/page-client.ts';
import { fullJob, minimalJob } from '../helper/sample-jobs.ts';
import { times } from '../helper/times.ts';

describe('the page of one job', () => {
  for (const portal of ['company', 'administrator'] as const)
    it(`${portal}: shows the sanitized body, other fields as text, the reason for denial, and the history in pages of fifty`, async () => {
      const body = '<p onclick="x()">Bom <strong>salário</strong><script>alert(1)</script></p>';
      const job = await newJob('production', { ...fullJob(), body, requirements: '<b>Carta</b>' });
      await job.writer.create(minimalJob);
      const email = await newAdministrator();
      const { id = 0n } = (await accountAt('administrator', email)) ?? {};
      const edit = { ...job.ref, createdAt: new Date(0), kind: 'updated', status: 'pending', isEdit: true } as const;
      const addEdits = (length: number) => insertEvents(times(length, (n) => ({ ...edit, actor: `edit ${n}` })));
      await addEdits(48);
      await denyJob(actionContext({ kind: 'administrator', id }), { ...job.ref, reason: 'Falta a <i>morada</i>.' });
      await addEdits(100);
      const client = portal === 'company' ? await asPerson(job.acme, 'sub') : await PageClient.signedIn(portal, email);
      const first = portal === 'company' ? job.path : job.adminPath;
      const page = await client.get(first);
      expect(page.document.querySelector('.job-body')?.innerHTML).to.equal('<p>Bom <strong>salário</strong></p>');
      expect(textOf(page, '.facts')).to.contain('<b>Carta</b>');
      expect(textOf(page, 'main')).to.contain('Falta a <i>morada</i>.');
      const seen: string[][] = [];
      for (let at = first; at; ) {
        const older = await client.get(at);
        expect(has(older, '[action*="/undo"]'), 'the review is not the latest event').to.equal(false);
        seen.push(textsOf(older, 'tbody tr'));
        at = linkIn(older, 'a[rel=next]');
      }
      expect(seen.map(({ length }) => length)).to.deep.equal([50, 50, 50]);
      expect(seen[2]?.[0]).to.match(/Job created.*Pending.*Credential "test"/);
      expect(seen[2]?.[49]).to.match(/Job denied.*Denied/);
    });

  it('offers no review of a sandbox job, which is never denied', async () => {
    const { acme, path, adminPath } = await newJob('sandbox');
    for (const [client, at] of [
      [await asPerson(acme), path],
      [await asAdministrator(), adminPath],
    ] as const)
      expect(has(await client.get(at), 'form:is([action*="/approve"], [action*="/resubmit"])'), at).to.equal(false);
  });

  it('is in a list whose filter is cleared without leaving the environment and the order, which are no filter', async () => {
    const { acme } = await newJob('sandbox');
    const client = await asPerson(acme, 'sub');
    for (const list of ['/jobs', '/requests'])
      for (const [query, cleared] of [
        ['text=abc', `/dashboard${list}`],
        ['environment=sandbox&text=abc', `/dashboard${list}?environment=sandbox`],
        ['environment=sandbox&sort=oldest&text=abc', `/dashboard${list}?environment=sandbox&sort=oldest`],
        ['environment=sandbox&sort=oldest', undefined],
      ]) {
        const links = (await client.get(`${list}?${query}`)).document.querySelectorAll('.filter > a');
        expect(
          [...links].map((link) => link.getAttribute('href')),
          query,
        ).to.deep.equal(cleared ? [cleared] : []);
      }
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

async function denied() {
  const job = await newJob('production', { title: 'Vaga <b>' });
  await denyJob(actionContext(), { ...job.ref, reason: 'Falta o <salário>.' });
  return { ...job, main: await asPerson(job.acme) };
}

describe('sending a denied job to review again', () => {
  it('shows the reason and the last change, and makes the job pending as a PATCH does', async () => {
    const { writer, id, ref, main, path, adminPath } = await denied();
    const page = await main.get(path);
    expect(textOf(page, '#denial')).to.match(/Falta o <salário>\..*by Credential "test"\..*Change the job/);
    const done = await main.follow(await main.submit(page, `${path}/resubmit`));
    expect([has(done, '.notice'), has(done, '#denial')]).to.deep.equal([true, false]);
    const email = textOf(done, '.person a').replace(/^.*: /, '');
    expect(textOf(done, 'tbody tr:last-child')).to.match(new RegExp(`Job sent to review again.*Pending.*${email}`));
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
    expect(textOf(await main.get(path), '#denial')).to.match(/Not changed since.*by Credential "test"\./);
    await writer.patch(id, { title: 'Com salário' });
    expect(textOf(await main.get(path), 'tbody tr:last-child')).to.match(/Job changed.*Pending.*test/);
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

  it('is refused for another version and a job no longer denied, and not offered while production is closed or once the job is withdrawn', async () => {
    const { acme, writer, id, main, path, adminPath } = await denied();
    const page = await main.get(path);
    for (const version of ['', 'x', '1', '99999999999'])
      expect((await main.submit(page, `${path}/resubmit`, { version })).status, version).to.equal(422);
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Falta de pagamento.' });
    expect(textOf(await main.get(path), '#denial')).to.include('Company suspended');
    const closed = await main.submit(page, `${path}/resubmit`);
    expect([closed.status, textOf(closed, '[role=alert]')]).to.deep.equal([
      422,
      'Your company is suspended, so nothing can be added or changed.',
    ]);
    const opened = await main.get(`${path}/resubmit`);
    expect([has(opened, 'main form'), textOf(opened, 'main')].join()).to.match(/^false,.*closed to the company now/);
    const administrator = await asAdministrator();
    const isOffered = async (client: PageClient, at: string) => has(await client.get(at), '[action*="/resubmit"]');
    expect(await isOffered(main, path)).to.equal(false);
    await reinstateCompany(actionContext(), { companyId: acme.id });
    expect([await isOffered(main, path), await isOffered(administrator, adminPath)]).to.deep.equal([true, true]);
    await writer.withdraw(id);
    expect([await isOffered(main, path), await isOffered(administrator, adminPath)]).to.deep.equal([false, false]);
    const withdrawn = await main.get(path);
    expect(has(withdrawn, `main > .actions a[href$="/update"]`)).to.equal(true);
    expect(textOf(withdrawn, 'main')).to.include('Job denied: Falta o <salário>.');
    const late = await main.submit(page, `${path}/resubmit`);
    expect([late.status, textOf(late, '[role=alert]')].join()).to.match(/^422,.*not denied/);
    const where = { companyId: acme.id, action: 'job.resubmitted' };
    expect(await db().auditEntry.count({ where })).to.equal(0);
  });
});
