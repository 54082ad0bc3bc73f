import { expect } from 'chai';
import type { Actor } from '../../src/domain/actor.ts';
import { approveCompany, suspendCompany } from '../../src/operations/companies/change-company.ts';
import { issueCredential } from '../../src/operations/credentials/issue-credential.ts';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { removeJob } from '../../src/operations/jobs/remove-job.ts';
import { withdrawCompanyJob } from '../../src/operations/jobs/review-job.ts';
import { removeUser } from '../../src/operations/people/account.ts';
import { actionContext, db, newCompany, type TestCompany } from '../helper/fixtures.ts';
import { newAdministrator, newUser, PageClient, textOf } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const postedBy = async (company: TestCompany): Promise<bigint> =>
  BigInt((await (await company.writer('production')).create(minimalJob)).body.data.id);

describe('the activity page', () => {
  it('lists who did what, newest first, and names no administrator', async () => {
    const [acme, other] = [await newCompany({ approved: false }), await newCompany({ name: 'Outra Empresa' })];
    const email = await newUser(acme);
    const client = await PageClient.signedIn('company', email);
    await acme.issue('sandbox', 'read');
    await client.submit(await client.get('/sandbox'), '/sandbox/reset', { word: 'RESET' });
    const administrator = await newAdministrator();
    const { id } = await db().administrator.findUniqueOrThrow({ where: { email: administrator } });
    await approveCompany(actionContext({ kind: 'administrator', id: BigInt(id) }), { companyId: acme.id });
    await other.issue('production', 'write');
    const page = await client.get('/activity');
    const rows = [...page.document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    expect(rows[0]).to.contain('Company approved for production').and.contain('Administrator');
    expect(rows[1]).to.contain('Sandbox reset').and.contain(email);
    expect(rows[2]).to.contain('Credential issued').and.contain('sandbox').and.contain('access: read');
    expect(page.text).not.to.contain(administrator).and.not.contain('Outra Empresa');
    expect(rows.filter((row) => row.includes('write'))).to.deep.equal([]);
  });

  it('shows the reason that an administrator gave, and names credentials and people', async () => {
    const acme = await newCompany();
    const companyId = acme.id;
    const [main, gone] = [await newUser(acme), await newUser(acme, 'sub')];
    const { id } = await db().user.findUniqueOrThrow({ where: { email: main } });
    const user: Actor = { kind: 'user', id, companyId, role: 'main' };
    const administrator: Actor = { kind: 'administrator', id: 7n };
    const issued = { companyId, environment: 'production', access: 'write', label: 'Sítio <b>' } as const;
    const { credentialId } = await issueCredential(actionContext(user), issued);
    const admin = actionContext(administrator);
    const ref = { companyId, environment: 'production', jobId: await postedBy(acme) } as const;
    await suspendCompany(admin, { companyId, reason: 'Falta de <pagamento>.' });
    await revokeCredential(admin, { companyId, credentialId, reason: 'Foi publicada.' });
    await withdrawCompanyJob(admin, { ...ref, reason: 'Anúncio antigo.' });
    await removeJob(admin, { ...ref, reason: 'Anúncio falso.' });
    await removeUser(actionContext(), { email: gone, reason: 'Saiu.' });
    const rowsIn = async (language: string) => {
      const client = await PageClient.signedIn('company', main);
      const { document } = await client.get('/activity', { 'Accept-Language': language });
      return [...document.querySelectorAll('tbody tr')].map(({ textContent }) => textContent ?? '');
    };
    const rows = await rowsIn('en');
    for (const [action, ...texts] of [
      ['Company suspended', 'reason: Falta de <pagamento>.'],
      ['Credential revoked', 'credential: Sítio <b>', 'reason: Foi publicada.'],
      ['Job withdrawn', 'reason: Anúncio antigo.'],
      ['Job permanently removed', 'reason: Anúncio falso.'],
      ['User removed', 'reason: Saiu.'],
      ['Credential issued', main, 'credential: Sítio <b>'],
    ] as const)
      for (const text of texts) expect(rows.filter((row) => row.includes(action)).join(), action).to.include(text);
    expect(rows.join()).not.to.match(/Credential \d|credential id/);
    const portuguese = (await rowsIn('pt')).join();
    expect(portuguese).to.include('motivo: Falta de <pagamento>.').and.include('credencial: Sítio <b>');
  });

  it('says that a rare action may be further back, and the link finds it', async () => {
    const acme = await newCompany();
    await suspendCompany(actionContext(), { companyId: acme.id, reason: 'Antigo.' });
    await db().$executeRaw`
      INSERT INTO audit_entries (company_id, actor, action, details, created_at)
      SELECT ${acme.id}, 'operator', 'company.changed', '{}', now() FROM generate_series(1, 5001)`;
    const client = await PageClient.signedIn('company', await newUser(acme));
    const path = '/activity?action=company.suspended';
    const first = await client.get(path);
    expect(textOf(first, 'main')).to.include('Nothing found so far. There are more.');
    expect(textOf(await client.get(path, { 'Accept-Language': 'pt' }), 'main')).to.include('Sem resultados até aqui.');
    const older = await client.get(first.document.querySelector('[rel=next]')?.getAttribute('href') ?? '');
    expect(textOf(older, 'tbody')).to.include('Antigo.');
    expect(older.document.querySelector('[rel=next]')).to.equal(null);
    expect(textOf(await client.get('/activity?before=1'), 'main')).to.include('No more entries.');
  });

  it('leads to older entries page by page', async () => {
    const acme = await newCompany();
    const rows = Array.from({ length: 55 }, (_, i) => ({
      actor: 'operator',
      action: 'company.changed',
      companyId: acme.id,
      details: { count: i },
      createdAt: new Date(),
    }));
    await db().auditEntry.createMany({ data: rows });
    const client = await PageClient.signedIn('company', await newUser(acme, 'sub'));
    const first = await client.get('/activity');
    expect(first.document.querySelectorAll('tbody tr')).to.have.length(50);
    const older = await client.get(first.document.querySelector('[rel=next]')?.getAttribute('href') ?? '');
    expect(textOf(older)).to.contain('count: 0').and.contain('Company created');
    expect(older.document.querySelector('[rel=next]')).to.equal(null);
    for (const before of ['x', '0', '-1', '9'.repeat(30)])
      expect((await client.get(`/activity?before=${before}`)).status, before).to.equal(200);
  });
});

describe('the account page', () => {
  it('signs out everywhere', async () => {
    for (const portal of ['company', 'administrator'] as const) {
      const email = portal === 'company' ? await newUser(await newCompany()) : await newAdministrator();
      const [here, there] = [await PageClient.signedIn(portal, email), await PageClient.signedIn(portal, email)];
      const page = await here.get('/account');
      expect(textOf(page, 'main')).to.contain(email);
      await here.submit(page, '/account/sign-out-everywhere');
      for (const client of [here, there]) expect((await client.get('/account')).status).to.equal(303);
    }
  });

  it('an unknown page still shows who is signed in', async () => {
    const email = await newUser(await newCompany());
    const page = await (await PageClient.signedIn('company', email)).get('/nothing');
    expect(page.status).to.equal(404);
    expect(textOf(page, 'header')).to.contain(email);
  });
});
