import { expect } from 'chai';
import { db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, newUser, PageClient, textOf, tokenIn } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const pathOf = ({ id }: TestCompany) => `/companies/${id}`;

const actionsOf = async ({ id }: TestCompany): Promise<string[]> => {
  const entries = await db().auditEntry.findMany({
    where: { companyId: id, actor: { startsWith: 'administrator:' } },
    orderBy: { id: 'asc' },
  });
  return entries.map(({ action }) => action);
};

const endedCredentials = ({ id: companyId }: TestCompany, count: number) =>
  db().credential.createMany({
    data: Array.from({ length: count }, (_, i) => ({
      companyId,
      environment: 'sandbox' as const,
      access: 'read' as const,
      label: `ended ${i}`,
      secretHash: new Uint8Array([i]),
      lastFour: '0000',
      createdAt: new Date(0),
      expiresAt: new Date(1),
    })),
  });

async function act(client: PageClient, company: TestCompany, name: string, typed: Record<string, string> = {}) {
  const path = `${pathOf(company)}/${name}`;
  return client.submit(await client.get(path), path, typed);
}

describe("the administration's companies", () => {
  it('are searched and filtered, and the pager keeps the filter', async () => {
    const name = `Consola ${Date.now()}`;
    for (let i = 0; i < 26; i++) await newCompany({ name, plan: 'Pro' });
    const waiting = await newCompany({ name, plan: 'Pro', approved: false });
    const client = await asAdministrator();
    const first = await client.get(`/companies?${new URLSearchParams({ text: name })}`);
    expect(textOf(first)).to.contain('27 results');
    expect(first.document.querySelectorAll('tbody tr')).to.have.length(25);
    expect(first.document.querySelector<HTMLInputElement>('#text')?.value).to.equal(name);
    const next = first.document.querySelector('[rel=next]')?.getAttribute('href') ?? '';
    expect((await client.get(next)).document.querySelectorAll('tbody tr')).to.have.length(2);
    const filtered = await client.get(`/companies?${new URLSearchParams({ text: name, state: 'waiting' })}`);
    expect([...filtered.document.querySelectorAll('tbody a')].map((a) => a.getAttribute('href'))).to.deep.equal([
      `/admin/companies/${waiting.id}`,
    ]);
    expect(textOf(await client.get('/'))).to.match(/\d+ compan(y|ies) to approve/);
  });

  it('a search without results, or with nonsense, answers 200', async () => {
    const client = await asAdministrator();
    for (const query of ['text=%00%00zzz%27', 'text=%3Cscript%3E', 'plan=none&text=nada-disto']) {
      const page = await client.get(`/companies?${query}`);
      expect(page.status, query).to.equal(200);
      expect(textOf(page), query).to.contain('Nothing found.');
    }
    for (const query of ['state=x', 'plan=x', 'plan=999999999', 'page=0', 'page=x'])
      expect((await client.get(`/companies?${query}`)).status, query).to.equal(200);
  });

  it('approval opens production for the API', async () => {
    const acme = await newCompany({ approved: false });
    const asReader = await acme.reader('production');
    expect((await asReader.get('/jobs')).status).to.equal(403);
    const client = await asAdministrator();
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Waiting for approval');
    const page = await client.get(pathOf(acme));
    const answer = await client.submit(page, `${pathOf(acme)}/approve`);
    expect(textOf(await client.follow(answer), '[role=status]')).to.equal(
      `Company ${acme.id} is approved for production.`,
    );
    expect((await asReader.get('/jobs')).status).to.equal(200);
    expect((await client.submit(page, `${pathOf(acme)}/approve`)).status, 'again').to.equal(303);
    expect(await actionsOf(acme)).to.deep.equal(['company.approved']);
  });

  it('a suspension closes both environments until the company is reinstated', async () => {
    const acme = await newCompany();
    const [live, test] = [await acme.reader('production'), await acme.reader('sandbox')];
    const client = await asAdministrator();
    const page = await client.get(pathOf(acme));
    expect(page.document.querySelector('form[action$="/suspend"]')).to.equal(null);
    const asked = await client.get(`${pathOf(acme)}/suspend`);
    expect(textOf(asked, 'main')).to.contain('Both environments refuse');
    expect(asked.document.querySelectorAll('button.danger')).to.have.length(1);
    expect((await live.get('/jobs')).status).to.equal(200);
    expect((await act(client, acme, 'suspend', { reason: 'Anúncios falsos.' })).status).to.equal(303);
    const person = await PageClient.signedIn('company', await newUser(acme));
    expect(textOf(await person.get('/activity'))).to.contain('Anúncios falsos.');
    for (const asReader of [live, test]) expect((await asReader.get('/jobs')).status).to.equal(403);
    expect((await act(client, acme, 'reinstate')).status).to.equal(303);
    for (const asReader of [live, test]) expect((await asReader.get('/jobs')).status).to.equal(200);
    expect(await actionsOf(acme)).to.deep.equal(['company.suspended', 'company.reinstated']);
  });

  it('verification and publishing without review can be switched on and off', async () => {
    const acme = await newCompany({ verified: false });
    const client = await asAdministrator();
    const facts = () => db().company.findUniqueOrThrow({ where: { id: acme.id } });
    expect((await act(client, acme, 'set', { verified: 'true', autoPublish: 'true' })).status).to.equal(303);
    expect(await facts()).to.include({ verified: true, autoPublish: true });
    expect((await act(client, acme, 'set')).status, 'as it is').to.equal(303);
    expect(await facts()).to.include({ verified: true, autoPublish: true });
    const shown = await client.get(`${pathOf(acme)}/set`);
    for (const box of shown.document.querySelectorAll('main [type=checkbox]')) box.removeAttribute('checked');
    expect((await client.submit(shown, `${pathOf(acme)}/set`)).status).to.equal(303);
    expect(await facts()).to.include({ verified: false, autoPublish: false });
    expect(await actionsOf(acme)).to.have.length(3);
  });

  it('complimentary access opens production, with a limit or -1 and an optional last day; a refused form keeps its values', async () => {
    const acme = await newCompany({ plan: null });
    const asReader = await acme.reader('production');
    const client = await asAdministrator();
    const refused = await act(client, acme, 'grant', { limit: '5', until: '2020-01-01' });
    expect(refused.status).to.equal(422);
    expect(textOf(refused, '#until-error')).to.match(/must/);
    expect(refused.document.querySelector('#limit')?.getAttribute('value')).to.equal('5');
    expect((await asReader.get('/jobs')).status).to.equal(403);
    expect((await act(client, acme, 'grant', { limit: '-1', until: '2099-12-31' })).status).to.equal(303);
    expect((await asReader.get('/jobs')).status).to.equal(200);
    expect(textOf(await client.get(pathOf(acme))))
      .to.contain('Unlimited since')
      .and.contain('until 31 Dec 2099');
    expect((await act(client, acme, 'end-grant', { reason: 'Acabou.' })).status).to.equal(303);
    expect((await asReader.get('/jobs')).status).to.equal(403);
    expect(await actionsOf(acme)).to.deep.equal(['grant.given', 'grant.ended']);
  });

  it('a plan can be set with its dates, and ended', async () => {
    const acme = await newCompany({ plan: null });
    const client = await asAdministrator();
    expect((await act(client, acme, 'subscribe', { plan: 'Inventado' })).status).to.equal(422);
    const refused = await act(client, acme, 'subscribe', { plan: 'Pro', startedOn: '2999-01-01' });
    expect(textOf(refused, '#startedOn-error')).to.contain('must not be after today');
    expect((await act(client, acme, 'subscribe', { plan: 'Pro', until: '2099-01-01' })).status).to.equal(303);
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Pro since');
    expect((await act(client, acme, 'unsubscribe', { reason: 'Acabou.' })).status).to.equal(303);
    expect(await actionsOf(acme)).to.deep.equal(['subscription.set', 'subscription.ended']);
  });

  it('a credential is shown without its secret; once revoked, its next request is 401', async () => {
    const acme = await newCompany();
    const secret = await acme.secret('production', 'write');
    const asWriter = await acme.writer('production');
    const client = await asAdministrator();
    const page = await client.get(pathOf(acme));
    expect(textOf(page))
      .to.contain(`vaga_live_…${secret.slice(-4)}`)
      .and.not.contain(secret);
    const { id } = await db().credential.findFirstOrThrow({ where: { companyId: acme.id } });
    const revoked = await act(client, acme, `credentials/${id}/revoke`, { reason: 'Divulgada.' });
    expect(revoked.status).to.equal(303);
    expect((await asWriter.get('/jobs')).status).to.equal(401);
    expect(textOf(await client.get(pathOf(acme)), '[aria-label="Expired and revoked credentials"]')).to.contain(
      'Revoked',
    );
    expect(await actionsOf(acme)).to.deep.equal(['credential.revoked']);
    const other = await newCompany();
    const wrong = `${pathOf(other)}/credentials/${id}/revoke`;
    expect((await client.get(wrong)).status).to.equal(404);
    const form = await client.get(`${pathOf(acme)}/credentials/${id}/revoke`);
    const once = form.document.querySelector<HTMLInputElement>('[name=once]')?.value ?? '';
    const typed = { _csrf: tokenIn(page), once, reason: 'Divulgada.' };
    expect((await client.post(wrong, typed)).status).to.equal(404);
  });

  it('lists all valid credentials and the latest fifty that have ended', async () => {
    const acme = await newCompany();
    const { credentialId } = await acme.issue('sandbox', 'read');
    await endedCredentials(acme, 60);
    const page = await (await asAdministrator()).get(pathOf(acme));
    expect(page.document.querySelectorAll('[aria-label="Valid credentials"] tbody tr')).to.have.length(1);
    expect(page.document.querySelectorAll('[aria-label="Expired and revoked credentials"] tbody tr')).to.have.length(
      50,
    );
    expect(textOf(page)).to.contain('ended 59').and.not.contain('ended 9 ');
    expect(page.document.querySelector(`a[href$="/credentials/${credentialId}/revoke"]`)).to.not.equal(null);
  });

  it('jobs are listed by environment', async () => {
    const acme = await newCompany();
    await (await acme.writer('production')).create({ ...minimalJob, title: 'Em produção' });
    await (await acme.writer('sandbox')).create({ ...minimalJob, title: 'Na sandbox' });
    const client = await asAdministrator();
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Jobs in production: 1 pending');
    const page = await client.get(`${pathOf(acme)}/production/jobs`);
    expect(textOf(page)).to.contain('Em produção').and.not.contain('Na sandbox');
    expect((await client.get(page.document.querySelector('tbody a')?.getAttribute('href') ?? '')).status).to.equal(200);
    expect((await client.get(`${pathOf(acme)}/sandbox/jobs?page=9`)).status).to.equal(200);
  });
});
