import { expect } from 'chai';
import { grantComplimentary } from '../../src/operations/companies/grant-complimentary.ts';
import { endSubscription } from '../../src/operations/companies/set-subscription.ts';
import { actionContext, type CompanyOptions, db, newCompany, newJob, type TestCompany } from '../helper/fixtures.ts';
import { asAdministrator, has, linkIn, newUser, type PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const pathOf = ({ id }: TestCompany) => `/companies/${id}`;

const actionsOf = async ({ id }: TestCompany): Promise<string[]> => {
  const where = { companyId: id, actor: { startsWith: 'administrator:' } };
  return (await db().auditEntry.findMany({ where, orderBy: { id: 'asc' } })).map(({ action }) => action);
};

const endedCredentials = ({ id: companyId }: TestCompany, count: number) => {
  const ended = { companyId, environment: 'sandbox', access: 'read', lastFour: '0000' } as const;
  const times = { createdAt: new Date(0), expiresAt: new Date(1) };
  const data = Array.from({ length: count }, (_, i) => ({ label: `ended ${i}`, secretHash: new Uint8Array([i]) }));
  return db().credential.createMany({ data: data.map((own) => ({ ...ended, ...times, ...own })) });
};

describe("the administration's companies", () => {
  let client: PageClient;
  before(async () => {
    client = await asAdministrator();
  });

  const act = (company: TestCompany, name: string, typed: Record<string, string> = {}) =>
    client.send(`${pathOf(company)}/${name}`, typed);

  /** The addresses of the companies that a search finds on its first page. */
  async function found(query: Record<string, string>): Promise<(string | null)[]> {
    const page = await client.get(`/companies?${new URLSearchParams(query)}`);
    expect(page.status).to.equal(200);
    return [...page.document.querySelectorAll('tbody a')].map((link) => link.getAttribute('href'));
  }
  const pathsOf = (...companies: TestCompany[]) => companies.map((company) => `/admin${pathOf(company)}`);

  it('are found by part of a name ignoring case and accents, an id, and a person by the e-mail address', async () => {
    const acme = await newCompany({ name: `Padaria São João 100% & Filhos_ ${Date.now()}` });
    await newCompany({ name: 'Padaria Nova' });
    const email = await newUser(acme);
    for (const text of ['sao joão', ' SÃO JOAO', '100%', 'filhos_', `${acme.id}`, email.toUpperCase()])
      expect(await found({ text }), text).to.include(`/admin${pathOf(acme)}`);
    expect(await found({ text: email })).to.deep.equal(pathsOf(acme));
    const unknown = ["'; DROP TABLE companies; --", '9'.repeat(40), '\\', '\0\0zzz', '<script>', 'ninguém@example.com'];
    for (const text of unknown) expect(await found({ text }), text).to.deep.equal([]);
    for (const query of [{ state: 'x' }, { plan: 'x' }, { plan: '999999999' }, { page: '0' }, { page: 'x' }])
      await found(query);
  });

  it('are filtered by state and by current plan; waiting ones only lack approval', async () => {
    const text = `Estado ${Date.now()}`;
    const made = (options: CompanyOptions = {}) => newCompany({ name: text, ...options });
    const waiting = await made({ plan: 'Pro', approved: false });
    const granted = await made({ plan: null, approved: false });
    const [planless, approved] = [await made({ plan: 'Base', approved: false }), await made()];
    const [suspended, unverified] = [await made({ approved: false }), await made({ verified: false })];
    const ended = await made({ plan: 'Pro' });
    await grantComplimentary(actionContext(), { companyId: granted.id, limit: 3 });
    await act(suspended, 'suspend', { reason: 'Faturas.' });
    await endSubscription(actionContext(), { companyId: ended.id });
    for (const [query, ...companies] of [
      [{ state: 'waiting' }, granted, waiting],
      [{ state: 'approved' }, ended, unverified, approved],
      [{ state: 'suspended' }, suspended],
      [{ state: 'unverified' }, unverified],
      [{ plan: 'complimentary' }, granted],
      [{ plan: 'Pro' }, waiting],
      [{ plan: 'none' }, ended, granted],
    ] as const)
      expect(await found({ text, ...query }), JSON.stringify(query)).to.deep.equal(pathsOf(...companies));
    expect(await found({ text })).to.include(`/admin${pathOf(planless)}`);
    const toApprove = async () => Number(/(\d+) compan(y|ies) to approve/.exec(textOf(await client.get('/')))?.[1]);
    const before = await toApprove();
    await client.submit(await client.get(pathOf(waiting)), `${pathOf(waiting)}/approve`);
    expect(await toApprove()).to.equal(before - 1);
  });

  it('are listed by 25, and the pager keeps the filter', async () => {
    const name = `Consola ${Date.now()}`;
    for (let i = 0; i < 27; i++) await newCompany({ name });
    const first = await client.get(`/companies?${new URLSearchParams({ text: name })}`);
    expect(textOf(first)).to.contain('27 results');
    expect([first.document.querySelectorAll('tbody tr').length, has(first, `#text[value="${name}"]`)]).to.deep.equal([
      25,
      true,
    ]);
    expect((await client.get(linkIn(first, '[rel=next]'))).document.querySelectorAll('tbody tr')).to.have.length(2);
  });

  it('each form opens and closes production and the sandbox for the API, and is recorded', async () => {
    const acme = await newCompany({ plan: 'Pro', approved: false });
    const readers = [await acme.reader('production'), await acme.reader('sandbox')];
    const rows = [
      ['approve', {}, 'company.approved', [200, 200], /Pro since/],
      ['suspend', { reason: 'Anúncios falsos.' }, 'company.suspended', [403, 403], /suspended/],
      ['reinstate', {}, 'company.reinstated', [200, 200], /Pro since/],
      ['unsubscribe', { reason: 'Acabou.' }, 'subscription.ended', [403, 200], /Plan not eligible/],
      ['grant', { limit: '-1', until: '2099-12-31' }, 'grant.given', [200, 200], /Unlimited since.*until 31 Dec 2099/],
      ['end-grant', { reason: 'Acabou.' }, 'grant.ended', [403, 200], /Plan not eligible/],
      ['subscribe', { plan: 'Pro', until: '2099-01-01' }, 'subscription.set', [200, 200], /Pro since/],
    ] as const;
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Waiting for approval');
    for (const [name, typed, , statuses, shown] of rows) {
      const page = await client.follow(await act(acme, name, typed));
      expect(textOf(page, '[role=status]'), name).to.contain(acme.id);
      expect(textOf(page), name).to.match(shown);
      const answers = await Promise.all(readers.map((reader) => reader.get('/jobs')));
      expect(
        answers.map(({ status }) => status),
        name,
      ).to.deep.equal(statuses);
    }
    const wrong = { plan: 'Pro', startedOn: '2999-01-01' };
    expect(textOf(await act(acme, 'subscribe', wrong), '#startedOn-error')).not.to.equal('');
    expect(await actionsOf(acme)).to.deep.equal(rows.map(([, , action]) => action));
  });

  it('verification and publishing without review can be switched on and off', async () => {
    const acme = await newCompany({ verified: false });
    const facts = () => db().company.findUniqueOrThrow({ where: { id: acme.id } });
    // The second changes nothing.
    for (const typed of [{ verified: 'true', autoPublish: 'true' }, {}]) {
      expect((await act(acme, 'set', typed)).status).to.equal(303);
      expect(await facts()).to.include({ verified: true, autoPublish: true });
    }
    const shown = await client.get(`${pathOf(acme)}/set`);
    for (const box of shown.document.querySelectorAll('main [type=checkbox]')) box.removeAttribute('checked');
    expect((await client.submit(shown, `${pathOf(acme)}/set`)).status).to.equal(303);
    expect(await facts()).to.include({ verified: false, autoPublish: false });
    expect(await actionsOf(acme)).to.have.length(3);
  });

  it('a credential is shown without its secret; once revoked, its next request is 401', async () => {
    const acme = await newCompany();
    const secret = await acme.secret('production', 'write');
    const { id } = await db().credential.findFirstOrThrow({ where: { companyId: acme.id } });
    const page = await client.get(pathOf(acme));
    expect(textOf(page)).to.contain(`vaga_live_…${secret.slice(-4)}`);
    expect(page.text).not.to.contain(secret);
    expect((await act(acme, `credentials/${id}/revoke`, { reason: 'Divulgada.' })).status).to.equal(303);
    expect((await (await acme.writer('production')).get('/jobs')).status).to.equal(401);
    expect(textOf(await client.get(pathOf(acme)), '[aria-label="Expired and revoked credentials"]')).to.contain(
      'Revoked',
    );
    expect(await actionsOf(acme)).to.deep.equal(['credential.revoked']);
  });

  it('lists all valid credentials and the latest fifty that have ended', async () => {
    const acme = await newCompany();
    const { credentialId } = await acme.issue('sandbox', 'read');
    await endedCredentials(acme, 60);
    const page = await client.get(pathOf(acme));
    const rowsIn = (label: string) => page.document.querySelectorAll(`[aria-label="${label}"] tbody tr`).length;
    expect(['Valid credentials', 'Expired and revoked credentials'].map(rowsIn)).to.deep.equal([1, 50]);
    expect(textOf(page)).to.contain('ended 59').and.not.contain('ended 9 ');
    expect(has(page, `a[href$="/credentials/${credentialId}/revoke"]`)).to.equal(true);
  });

  it('jobs are listed by environment', async () => {
    const { acme } = await newJob('production', { title: 'Em produção' });
    await (await acme.writer()).create({ ...minimalJob, title: 'Na sandbox' });
    expect(textOf(await client.get(pathOf(acme)))).to.contain('Jobs in production: 1 pending');
    const page = await client.get(`${pathOf(acme)}/production/jobs`);
    expect(textOf(page)).to.contain('Em produção').and.not.contain('Na sandbox');
    for (const path of [linkIn(page, 'tbody a'), `${pathOf(acme)}/sandbox/jobs?page=9`])
      expect((await client.get(path)).status, path).to.equal(200);
  });
});
