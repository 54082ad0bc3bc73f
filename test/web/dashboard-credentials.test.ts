import { expect } from 'chai';
import { revokeCredential } from '../../src/operations/credentials/people/revoke-credential.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, newCompany, server, startApp } from '../helper/fixtures.ts';
import {
  asPerson,
  has,
  type Page,
  type PageClient,
  password,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';
import { RestClient } from '../helper/rest-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

const form = '/credentials/issue';
const filled = { label: 'Site <b>', environment: 'sandbox', access: 'write', days: '30', currentPassword: password };

const issue = (client: PageClient, typed: Record<string, string> = {}): Promise<Page> =>
  client.send(form, { ...filled, ...typed });
const statusOf = async (secret: string) => (await new RestClient(server(), 'sandbox', secret).get('/account')).status;

describe('credentials in the dashboard', () => {
  it('are listed for each environment, without secrets and without another company’s; ended ones are folded, and an empty list says what to do', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const client = await asPerson(acme);
    expect(has(await client.get('/credentials'), 'main a[href="/dashboard/credentials/issue"]')).to.equal(true);
    const { secret } = await acme.issue('sandbox', 'write');
    const { credentialId } = await acme.issue('production', 'read', 10);
    const foreign = await other.issue('sandbox', 'read');
    const page = await client.get('/credentials');
    const live = textsOf(page, '[aria-label=Production] tbody tr');
    const test = textsOf(page, '[aria-label=Sandbox] tbody tr');
    expect([live.length, test.length, textsOf(page, 'tbody tr').length]).to.deep.equal([1, 1, 2]);
    expect(live[0]).to.match(/vaga_live_….*Read.*Expires soon/);
    expect(test[0]).to.match(new RegExp(`vaga_test_…${secret.slice(-4)}.*Read and write.*Valid`));
    expect(textsOf(page, 'h3')).to.deep.equal(['Production: 1 of 5 valid', 'Sandbox: 1 of 5 valid']);
    const colours = ['Replace', 'Revoke'].map(
      (verb) =>
        [...page.document.querySelectorAll('td a')].find(({ textContent }) => textContent?.startsWith(verb))?.className,
    );
    expect(colours).to.deep.equal(['', 'danger']);
    expect(page.text).not.to.contain(secret).and.not.to.contain(foreign.secret.slice(-4));
    expect(textOf(page, '.alert')).to.match(/14 days.*test ….{4}, production, /);
    await revokeCredential(actionContext(), { companyId: acme.id, credentialId });
    const after = await client.get('/credentials');
    expect(has(after, '.alert')).to.equal(false);
    expect(textOf(after, 'details:not([open]) [aria-label="Expired and revoked credentials"] tbody')).to.contain(
      'Revoked',
    );
  });

  it('show their secret once when issued, with examples to paste that contain it', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme, 'main', await startApp({ PUBLIC_URL: 'https://api.example.com' }));
    const page = await issue(client);
    expect([page.status, page.headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const secret = textOf(page, '#secret');
    expect(await statusOf(secret)).to.equal(200);
    expect(textOf(page, '#curl'))
      .to.include(`Bearer ${secret}`)
      .and.include('https://api.example.com/sandbox/v1/account');
    const clients = ['Typed client', 'Claude Code', 'Codex', 'VS Code', 'Python SDK'];
    expect(textsOf(page, 'summary')).to.include.members(clients);
    expect(textOf(page, '#ClaudeCode')).to.include('https://api.example.com/sandbox/mcp');
    expect(page.text).not.to.include('{address}').and.not.include('vaga_test_...');
    const recipes = [...page.document.querySelectorAll('pre:not(#secret, #VSCode)')].map(
      (pre) => pre.textContent ?? '',
    );
    for (const recipe of recipes) expect(recipe, 'works when it is pasted alone').to.include(secret);
    expect(recipes).to.have.length.above(6);
    expect(textOf(page, 'details:has(#Codex)')).to.include('Codex reads the variable TOKEN at each start.');
    expect(JSON.parse(textOf(page, '#Cursor')).mcpServers.vaga).to.deep.equal({
      url: 'https://api.example.com/sandbox/mcp',
      headers: { Authorization: `Bearer ${secret}` },
    });
    const list = await client.get('/credentials');
    expect(list.text).not.to.contain(secret);
    expect(textOf(list, 'tbody th')).to.equal(`Site <b> vaga_test_…${secret.slice(-4)}`);
    const { action, actor } = await lastAudit(acme.id);
    expect([action, actor.split(':')[0]]).to.deep.equal(['credential.issued', 'user']);
  });

  it('the secret is in no session, and sending the same form again issues nothing', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme);
    const loaded = await client.get(form);
    const answers = await Promise.all([1, 2].map(() => client.submit(loaded, form, filled)));
    const again = await client.submit(loaded, form, filled);
    expect([...answers, again].map(({ status }) => status).sort()).to.deep.equal([200, 303, 303]);
    expect(textOf(await client.follow(again), '.notice')).not.to.equal('');
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(1);
    const secret = textOf(answers.find(({ status }) => status === 200) as Page, '#secret');
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    expect(rows.some(({ text }) => text.includes(secret.slice(-40)))).to.equal(false);
  });

  it('a form asks for a label, and a replaced one names its replacement and is no longer to be replaced', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme);
    const unnamed = await issue(client, { label: '' });
    expect([unnamed.status, textOf(unnamed, '#label-error')]).to.deep.equal([422, 'Label must not be blank.']);
    expect(has(unnamed, '#label[required]')).to.equal(true);
    const { credentialId } = await acme.issue('sandbox', 'read', 10);
    const path = `/credentials/${credentialId}/replace`;
    for (const at of ['/', '/credentials']) expect(has(await client.get(at), `a[href$="${path}"]`), at).to.equal(true);
    const secret = textOf(await client.send(path, { currentPassword: password }), '#secret');
    expect(has(await client.get('/'), '.alert')).to.equal(false);
    const list = await client.get('/credentials');
    expect(has(list, '.alert')).to.equal(false);
    expect(textOf(list, 'tbody tr:last-child')).to.include(`Being replaced replaced by …${secret.slice(-4)}`);
  });

  it('are revoked after a confirmation; the next request then gets 401', async () => {
    const acme = await newCompany();
    const { credentialId, secret } = await acme.issue('sandbox', 'read');
    const client = await asPerson(acme);
    const path = `/credentials/${credentialId}/revoke`;
    const shown = await client.get(path);
    expect(textOf(shown, 'h1')).to.contain(secret.slice(-4));
    expect(await statusOf(secret)).to.equal(200);
    expect((await client.submit(shown, path)).status).to.equal(303);
    expect(await statusOf(secret)).to.equal(401);
    expect((await lastAudit(acme.id)).action).to.equal('credential.revoked');
    expect((await client.get(path)).status).to.equal(303);
  });
});

const reset = async (client: PageClient, word: string) =>
  client.submit(await client.get('/sandbox'), '/sandbox/reset', { word });

/** A company with two sandbox jobs and one production job. */
async function companyWithJobs() {
  const company = await newCompany();
  for (const environment of ['sandbox', 'sandbox', 'production'] as const)
    await (await company.writer(environment)).create(minimalJob);
  return company;
}

const jobsOf = async (companyId: bigint, environment: 'sandbox' | 'production') =>
  db().job.count({ where: { companyId, environment } });

describe('the sandbox page', () => {
  it('shows the used capacity, even to a company that has used none', async () => {
    const client = await asPerson(await companyWithJobs());
    expect(textOf(await client.get('/sandbox'), '#usage')).to.match(/^2 of 100 jobs used.*98 left\.$/);
    const page = await (await asPerson(await newCompany({ plan: null }))).get('/sandbox');
    expect(textOf(page, '#usage')).to.contain('0 of 100');
    expect(page.document.querySelector('meter')?.getAttribute('max')).to.equal('100');
  });

  it('is reset only by the exact word; the form keeps the typed text', async () => {
    const acme = await companyWithJobs();
    const client = await asPerson(acme);
    for (const word of ['reset', 'Reset', 'RESETS', '']) {
      const page = await reset(client, word);
      expect([page.status, valueIn(page, '#word')]).to.deep.equal([422, word]);
      expect(textOf(page, '#word-error')).to.contain('RESET');
    }
    expect(await jobsOf(acme.id, 'sandbox')).to.equal(2);
  });

  // parity/idempotency.test.ts tests what stays.
  it('a reset says how many jobs and keys it deleted, and is recorded', async () => {
    const acme = await companyWithJobs();
    const client = await asPerson(acme);
    const page = await client.follow(await reset(client, 'RESET'));
    expect(textOf(page, '.notice')).to.match(/2\D+2/);
    expect(textOf(page, '#usage')).to.contain('0 of 100');
    expect([await jobsOf(acme.id, 'sandbox'), await jobsOf(acme.id, 'production')]).to.deep.equal([0, 1]);
    const { action, actor, details } = await lastAudit(acme.id);
    expect([action, actor.split(':')[0], details]).to.deep.equal(['sandbox.reset', 'user', { jobs: 2, keys: 2 }]);
  });
});
