import { expect } from 'chai';
import { revokeCredential } from '../../src/operations/credentials/revoke-credential.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newCompany, server, startApp, type TestCompany } from '../helper/fixtures.ts';
import { newUser, type Page, PageClient, password, textOf } from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';

const form = '/credentials/issue';
const filled = { label: 'Site <b>', environment: 'sandbox', access: 'write', days: '30', currentPassword: password };

const signedIn = async (company: TestCompany, role: 'main' | 'sub' = 'main', at = server()) =>
  PageClient.signedIn('company', await newUser(company, role), at);

const issue = async (client: PageClient, typed: Record<string, string> = {}): Promise<Page> =>
  client.submit(await client.get(form), form, { ...filled, ...typed });

describe('the credentials page', () => {
  it('lists credentials of both environments without secrets, and none of another company', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const { secret } = await acme.issue('sandbox', 'write');
    const { credentialId } = await acme.issue('production', 'read', 10);
    const foreign = await other.issue('sandbox', 'read');
    await new RestClient(server(), 'sandbox', secret).get('/account');
    const client = await signedIn(acme);
    const page = await client.get('/credentials');
    const rows = [...page.document.querySelectorAll('tbody tr')].map((row) => row.textContent ?? '');
    expect(rows).to.have.length(2);
    expect(rows[0]).to.contain('vaga_live_…').and.contain('production').and.contain('Expires soon');
    expect(rows[1])
      .to.contain(`vaga_test_…${secret.slice(-4)}`)
      .and.contain('read and write')
      .and.contain('Valid');
    expect(page.text).not.to.contain(secret).and.not.to.contain(foreign.secret.slice(-4));
    expect(textOf(page, '.alert')).to.match(/expire within 14 days.*Replace test ….{4}, production, /);
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    const after = await client.get('/credentials');
    expect(after.document.querySelector('.alert')).to.equal(null);
    expect(textOf(after, '[aria-label="Expired and revoked credentials"] tbody')).to.contain('Revoked');
  });

  it('says what to do when the list is empty', async () => {
    const page = await (await signedIn(await newCompany())).get('/credentials');
    expect(textOf(page, 'main')).to.contain('No valid credentials.');
    expect(page.document.querySelector('a[href="/dashboard/credentials/issue"]')).not.to.equal(null);
  });
});

describe('issuing a credential in the dashboard', () => {
  it('shows the secret once, with examples to paste, and it works', async () => {
    const acme = await newCompany();
    const client = await signedIn(acme, 'main', await startApp({ PUBLIC_URL: 'https://api.example.com' }));
    const page = await issue(client);
    expect(page.status).to.equal(200);
    expect(page.headers['cache-control']).to.equal('no-store');
    const secret = textOf(page, '#secret');
    expect((await new RestClient(server(), 'sandbox', secret).get('/account')).status).to.equal(200);
    expect(textOf(page, '#curl')).to.equal(
      `export TOKEN=${secret} curl -s https://api.example.com/sandbox/v1/account -H "Authorization: Bearer $TOKEN"`,
    );
    const clients = [...page.document.querySelectorAll('summary')].map(({ textContent }) => textContent?.trim());
    expect(clients).to.include.members([
      'Typed client',
      'Claude Code',
      'Codex',
      'VS Code .vscode/mcp.json',
      'Python SDK',
    ]);
    expect(textOf(page, '#ClaudeCode')).to.include('vaga https://api.example.com/sandbox/mcp --header');
    expect(page.text).not.to.include('{address}').and.not.include('vaga_test_...');
    expect(JSON.parse(textOf(page, '#Cursor'))).to.deep.equal({
      mcpServers: {
        vaga: { url: 'https://api.example.com/sandbox/mcp', headers: { Authorization: `Bearer ${secret}` } },
      },
    });
    const list = await client.get('/credentials');
    expect(list.text).not.to.contain(secret);
    expect(textOf(list, 'tbody th')).to.equal(`Site <b> vaga_test_…${secret.slice(-4)}`);
    expect(list.document.querySelector('tbody b')).to.equal(null);
    expect(await lastAudit(acme.id)).to.deep.include({ action: 'credential.issued' });
    expect((await lastAudit(acme.id)).actor).to.match(/^user:\d+$/);
  });

  it('stores the secret in no session, and the same form sent again issues nothing', async () => {
    const acme = await newCompany();
    const client = await signedIn(acme);
    const loaded = await client.get(form);
    const answers = await Promise.all([1, 2].map(() => client.submit(loaded, form, filled)));
    const again = await client.submit(loaded, form, filled);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 303]);
    expect(again.status).to.equal(303);
    expect(textOf(await client.follow(again), '.notice')).to.contain('A secret is shown only once');
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(1);
    const secret = textOf(answers.find(({ status }) => status === 200) as Page, '#secret');
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    expect(rows.some(({ text }) => text.includes(secret.slice(-40)))).to.equal(false);
  });

  it('refuses a sixth credential of one environment', async () => {
    const acme = await newCompany();
    const client = await signedIn(acme);
    for (let i = 0; i < 5; i++) await acme.issue('sandbox', 'read');
    const page = await issue(client);
    expect(page.status).to.equal(422);
    expect(textOf(page, '[role=alert]')).to.contain('at most 5 valid sandbox credentials');
    expect((await issue(client, { environment: 'production' })).status).to.equal(200);
  });

  it('ten wrong passwords block the confirmation for a while', async () => {
    const acme = await newCompany();
    const client = await signedIn(acme, 'main', await startApp());
    for (let i = 0; i < 10; i++) await issue(client, { currentPassword: 'uma-senha-errada' });
    const page = await issue(client);
    expect(textOf(page, '#currentPassword-error')).to.contain('Too many wrong passwords');
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(0);
  });
});

describe('revoking a credential in the dashboard', () => {
  it('asks for confirmation; then the next request is 401', async () => {
    const acme = await newCompany();
    const { credentialId, secret } = await acme.issue('sandbox', 'read');
    const api = new RestClient(server(), 'sandbox', secret);
    const client = await signedIn(acme);
    const path = `/credentials/${credentialId}/revoke`;
    const shown = await client.get(path);
    expect(textOf(shown, 'h1')).to.match(/^Revoke a credential: test ….{4}$/);
    expect((await api.get('/account')).status).to.equal(200);
    const answer = await client.submit(shown, path);
    expect(textOf(await client.follow(answer), '.notice')).to.equal('The credential is revoked.');
    expect((await api.get('/account')).status).to.equal(401);
    expect((await lastAudit(acme.id)).action).to.equal('credential.revoked');
    expect((await client.get(path)).status).to.equal(303);
  });
});

describe('replacing a credential in the dashboard', () => {
  it('shows the new secret once; the old one ends after the chosen overlap', async () => {
    const acme = await newCompany();
    const old = await acme.issue('sandbox', 'write');
    const client = await signedIn(acme);
    const path = `/credentials/${old.credentialId}/replace`;
    const shown = await client.get(path);
    expect(textOf(shown, 'h1')).to.match(/^Replace a credential: test ….{4}$/);
    const page = await client.submit(shown, path, { overlapHours: '168', days: '30', currentPassword: password });
    expect(page.status).to.equal(200);
    expect(page.headers['cache-control']).to.equal('no-store');
    const secret = textOf(page, '#secret');
    for (const each of [secret, old.secret])
      expect((await new RestClient(server(), 'sandbox', each).get('/account')).status).to.equal(200);
    const again = await client.submit(shown, path, { overlapHours: '168', days: '30', currentPassword: password });
    expect(again.status).to.equal(303);
    expect((await client.get('/credentials')).text).not.to.contain(secret);
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(2);
    const now = await client.submit(await client.get(path), path, { overlapHours: '0', currentPassword: password });
    expect(textOf(now)).to.contain('The old credential no longer works.');
    expect((await new RestClient(server(), 'sandbox', old.secret).get('/account')).status).to.equal(401);
    expect((await client.get(path)).status, 'it has ended').to.equal(303);
  });
});
