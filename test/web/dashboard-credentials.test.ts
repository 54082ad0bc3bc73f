import { expect } from 'chai';
import type { Db } from '../../src/database/open.ts';
import { reinstateCompany, suspendCompany } from '../../src/operations/companies/people/change-company.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, later, newCompany, server, startApp } from '../helper/fixtures.ts';
import {
  asPerson,
  has,
  newUser,
  type Page,
  PageClient,
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

/** The tests' database. Its next transaction loses the answer to its COMMIT, or finds the database away, as everything after it does. */
function faultyDatabase() {
  const faulty = { db: db(), next: undefined as 'commit' | 'away' | undefined };
  let isAway = false;
  const lost = async () => {
    throw new Error('Connection terminated unexpectedly');
  };
  const transaction = async (...given: Parameters<Db['$transaction']>): Promise<unknown> => {
    if (faulty.next === 'commit') await db().$transaction(...given);
    isAway = faulty.next === 'away';
    return lost();
  };
  faulty.db = new Proxy(db(), {
    get: (own, name) => {
      if (faulty.next === undefined) isAway = false;
      if (isAway) return typeof Reflect.get(own, name) === 'function' ? lost : new Proxy({}, { get: () => lost });
      return name === '$transaction' && faulty.next ? transaction : Reflect.get(own, name);
    },
  });
  return faulty;
}

describe('credentials in the dashboard', () => {
  it('a form sent after a suspension says so, issues nothing and keeps its entries; one of a former main account is refused', async () => {
    const acme = await newCompany();
    const email = await newUser(acme);
    const client = await PageClient.signedIn('company', email);
    const opened = await client.get(form);
    await suspendCompany(actionContext(), { companyId: acme.id });
    const answer = await client.submit(opened, form, filled);
    expect(answer.status).to.equal(422);
    expect(textOf(answer, '[role=alert]')).to.match(/Your company is suspended, so nothing can be added or changed/);
    expect(valueIn(answer, '[name=label]')).to.equal(filled.label);
    expect(await db().credential.count({ where: { companyId: acme.id } })).to.equal(0);
    await reinstateCompany(actionContext(), { companyId: acme.id });
    await db().user.updateMany({ where: { companyId: acme.id }, data: { role: 'sub' } });
    expect((await client.submit(answer, form, filled)).status).to.equal(403);
  });

  it('are listed for each environment, without secrets and without another company’s; ended ones are folded, and an empty list says what to do', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const client = await asPerson(acme);
    expect(has(await client.get('/credentials'), 'main a[href="/dashboard/credentials/issue"]')).to.equal(true);
    const { secret } = await acme.issue('sandbox', 'write');
    const { credentialId, secret: expiring } = await acme.issue('production', 'read', 10);
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
    const path = `/credentials/${credentialId}/revoke`;
    const shown = await client.get(path);
    expect(textOf(shown, 'h1')).to.include(expiring.slice(-4));
    const after = await client.follow(await client.submit(shown, path));
    expect((await client.get(path)).status, 'it is revoked already').to.equal(303);
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
    expect([await statusOf(secret), has(page, '[name=language]')]).to.deep.equal([200, false]);
    expect(textOf(page, '#curl'))
      .to.include(`Bearer ${secret}`)
      .and.include('https://api.example.com/sandbox/v1/account');
    const clients = ['Typed client', 'Claude Code', 'Codex', 'VS Code', 'Python SDK'];
    expect(textsOf(page, 'summary')).to.include.members(clients);
    expect(textOf(page, '#ClaudeCode')).to.include('https://api.example.com/sandbox/mcp');
    expect(page.text).not.to.include('{address}').and.not.include('vaga_test_...');
    const recipes = [...page.document.querySelectorAll('pre:not(#secret)')].map((pre) => pre.textContent ?? '');
    const isSettings = (recipe: string) => recipe.startsWith('{');
    for (const recipe of recipes.filter((one) => !isSettings(one)))
      expect(recipe, 'works when it is pasted alone').to.include(secret);
    for (const recipe of recipes.filter(isSettings)) expect(recipe, 'settings are kept').to.not.include(secret);
    expect(recipes).to.have.length.above(7);
    expect(textOf(page, 'details:has(#Codex)')).to.include('Codex reads the variable TOKEN at each start.');
    expect(JSON.parse(textOf(page, '#Cursor')).mcpServers.vaga).to.deep.equal({
      url: 'https://api.example.com/sandbox/mcp',
      headers: { Authorization: `Bearer \${env:TOKEN}` },
    });
    const list = await client.get('/credentials');
    expect(list.text).not.to.contain(secret);
    expect(textOf(list, 'tbody th')).to.equal(`Site <b> vaga_test_…${secret.slice(-4)}`);
    const { action, actor } = await lastAudit(acme.id);
    expect([action, actor.split(':')[0]]).to.deep.equal(['credential.issued', 'user']);
  });

  it('show their secret again to the same form for two minutes, which issues nothing more; no session has it readable', async () => {
    const acme = await newCompany();
    const email = await newUser(acme);
    const client = await PageClient.signedIn('company', email);
    const loaded = await client.get(form);
    const send = (typed: Record<string, string> = {}) => client.submit(loaded, form, { ...filled, ...typed });
    const count = () => db().credential.count({ where: { companyId: acme.id } });
    const answers = await Promise.all([1, 2, 3].map(() => send()));
    const again = await send();
    for (const { status, headers } of [...answers, again])
      expect([status, headers['cache-control']]).to.deep.equal([200, 'no-store']);
    const [secret = '', ...others] = new Set([...answers, again].map((page) => textOf(page, '#secret')));
    expect([others, await count(), await statusOf(secret)]).to.deep.equal([[], 1, 200]);
    const rows = await db().$queryRaw<{ text: string }[]>`SELECT row_to_json(s)::text AS text FROM page_sessions s`;
    const key = valueIn(loaded, '[name=onceKey]') ?? '';
    expect(key).to.have.length(43);
    for (const readable of [secret.slice(-40), key])
      expect(rows.some(({ text }) => text.includes(readable))).to.equal(false);
    const late = await later(120_001, () => send());
    const theirs = await PageClient.signedIn('company', email);
    expect(textOf(await client.follow(late), '.notice'))
      .to.contain('already submitted')
      .and.contain('only once');
    const copied = { ...filled, once: valueIn(loaded, '[name=once]') ?? '', onceKey: key };
    const foreign = await theirs.submit(await theirs.get(form), form, copied);
    expect([foreign.status, foreign.text.includes(secret)], 'another session').to.deep.equal([422, false]);
    expect(await count()).to.equal(1);
    const other = textOf(await send({ label: 'Other values' }), '#secret');
    expect([other === secret, await count()]).to.deep.equal([false, 2]);
  });

  it('a form whose outcome is unknown is not carried out again: it is shown as typed, and says so, whether or not it was done', async () => {
    for (const [fault, done] of [
      ['commit', 1],
      ['away', 0],
    ] as const) {
      const acme = await newCompany();
      const faulty = faultyDatabase();
      const client = await asPerson(acme, 'main', await startApp({}, { db: faulty.db }));
      const count = () => db().credential.count({ where: { companyId: acme.id } });
      const loaded = await client.get(form);
      faulty.next = fault;
      expect((await client.submit(loaded, form, filled)).status, fault).to.equal(503);
      faulty.next = undefined;
      expect(await count(), fault).to.equal(done);
      const again = () => client.submit(loaded, form, filled);
      const shown = await (fault === 'commit' ? again() : later(120_001, again));
      expect([shown.status, valueIn(shown, '#label'), await count()], fault).to.deep.equal([422, filled.label, done]);
      expect(textOf(shown, '[role=alert]')).to.equal(
        'This form was sent before, but its result is not known. Check whether it was done before you send it again.',
      );
      expect((await client.submit(shown, form, filled)).status, fault).to.equal(200);
      expect(await count(), fault).to.equal(done + 1);
    }
  });

  it('a form whose password was wrong can be sent again, from the page before too', async () => {
    const client = await asPerson(await newCompany());
    const loaded = await client.get(form);
    const statuses = [];
    for (const currentPassword of ['uma-senha-errada', password, password])
      statuses.push((await client.submit(loaded, form, { ...filled, currentPassword })).status);
    expect(statuses).to.deep.equal([422, 200, 200]);
  });

  it('replaced twice by one form, the old one ends and the new secret is shown to both', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme);
    const { credentialId, secret: old } = await acme.issue('production', 'write');
    const path = `/credentials/${credentialId}/replace`;
    const loaded = await client.get(path);
    expect(textsOf(loaded, '[name=overlapHours] option')).to.include.members(['1 hour', '1 day', '7 days']);
    const send = () => client.submit(loaded, path, { currentPassword: password, overlapHours: '0' });
    const [one, same, late] = [...(await Promise.all([send(), send()])), await send()].map((page) =>
      textOf(page, '#secret'),
    );
    expect([one, one]).to.deep.equal([same, late]).and.not.include('');
    expect([await db().credential.count({ where: { companyId: acme.id } }), one === old]).to.deep.equal([2, false]);
  });

  it('need a label; a replaced one names its replacement and is no longer to be replaced', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme);
    const unnamed = await issue(client, { label: '' });
    expect([unnamed.status, textOf(unnamed, '#label-error')]).to.deep.equal([422, 'Label must not be blank.']);
    expect(has(unnamed, '#label[required]')).to.equal(true);
    const { credentialId } = await acme.issue('sandbox', 'read', 10);
    const path = `/credentials/${credentialId}/replace`;
    const lists = async () => [await client.get('/'), await client.get('/credentials')];
    for (const page of await lists()) expect(has(page, `.alert a[href$="${path}"]`)).to.equal(true);
    const secret = textOf(await client.send(path, { currentPassword: password }), '#secret');
    const after = await lists();
    for (const page of after) expect(has(page, '.alert')).to.equal(false);
    const [, list] = after as [Page, Page];
    expect(textOf(list, 'tbody tr:last-child')).to.include(`Being replaced replaced by …${secret.slice(-4)}`);
  });
});

// parity/idempotency.test.ts tests what stays.
it('the sandbox page shows the used capacity, and is reset only by the exact word, which the form keeps', async () => {
  const acme = await newCompany({ plan: null });
  const client = await asPerson(acme);
  const unused = await client.get('/sandbox');
  expect(textOf(unused, '#usage')).to.contain('0 of 100');
  expect(unused.document.querySelector('meter')?.getAttribute('max')).to.equal('100');
  const writer = await acme.writer('sandbox');
  for (let n = 0; n < 2; n++) await writer.create(minimalJob);
  let page = await client.get('/sandbox');
  expect(textOf(page, '#usage')).to.match(/^2 of 100 jobs used.*98 left\.$/);
  for (const word of ['reset', 'Reset', 'RESETS', '']) {
    page = await client.submit(page, '/sandbox/reset', { word });
    expect([page.status, valueIn(page, '#word')]).to.deep.equal([422, word]);
    expect(textOf(page, '#word-error')).to.contain('RESET');
  }
  expect(await db().job.count({ where: { companyId: acme.id } })).to.equal(2);
  const done = await client.follow(await client.submit(page, '/sandbox/reset', { word: 'RESET' }));
  expect(textOf(done, '.notice')).to.match(/2\D+2/);
  expect(textOf(done, '#usage')).to.contain('0 of 100');
  const { action, details } = await lastAudit(acme.id);
  expect([action, details]).to.deep.equal(['sandbox.reset', { jobs: 2, keys: 2 }]);
});
