import { expect } from 'chai';
import { eraseCompany } from '../../src/operations/companies/people/erase-company.ts';
import { createUser } from '../../src/operations/users/people/create-account.ts';
import { accountsMax } from '../../src/operations/users/users-sql.ts';
import { lastAudit } from '../helper/audit-trail.ts';
import { actionContext, db, freshEmail, newCompany } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  newAdministrator,
  newUser,
  PageClient,
  password,
  textOf,
  textsOf,
  tokenIn,
  valueIn,
} from '../helper/page-client.ts';

const invite = (client: PageClient, email: string) =>
  client.send('/people/invite', { email, currentPassword: password });
const pathOf = (email: string) => `/people/${encodeURIComponent(email)}`;
const rolesOf = (companyId: bigint) =>
  db().user.findMany({ where: { companyId }, select: { email: true, role: true }, orderBy: { id: 'asc' } });

describe('the people of a company, in the dashboard', () => {
  it('its main account invites a sub-account with a link that sets the password, shown once and recorded', async () => {
    const acme = await newCompany();
    const client = await asPerson(acme);
    const email = freshEmail();
    const page = await invite(client, email);
    expect(page.status).to.equal(200);
    const { pathname, search } = new URL(textOf(page, '#secret'));
    expect(valueIn(await new PageClient('company').get(pathname + search), '[type=email]')).to.equal(email);
    const list = await client.get('/people');
    expect(list.text).not.to.contain('vaga_link_');
    expect(textsOf(list, 'tbody tr').at(-1)).to.match(new RegExp(`^${email} ?Sub-account`));
    const { action, actor, details } = await lastAudit(acme.id);
    expect([action, actor.split(':')[0]]).to.deep.equal(['user.invited', 'user']);
    expect(details).to.include({ role: 'sub' });
  });

  it('a main account neither removes itself nor makes another main account, and a sub-account changes nobody', async () => {
    const acme = await newCompany();
    const [main, other] = [await newUser(acme), await newUser(acme, 'sub')];
    const client = await PageClient.signedIn('company', main);
    const _csrf = tokenIn(await client.get('/account'));
    for (const verb of ['remove', 'set-password']) {
      expect((await client.get(`${pathOf(main)}/${verb}`)).status).to.equal(403);
      expect((await client.post(`${pathOf(main)}/${verb}`, { _csrf, currentPassword: password })).status).to.equal(403);
    }
    expect(has(await client.get('/people'), `a[href*="${encodeURIComponent(main)}"]`)).to.equal(false);
    const typed = { email: freshEmail(), currentPassword: password };
    await client.submit(await client.get('/people/invite'), '/people/invite', { ...typed, role: 'main' });
    const page = await (await PageClient.signedIn('company', other)).get('/people');
    expect(textOf(page)).to.contain("Only the company's main account").and.contain(main);
    expect(has(page, 'main tbody a')).to.equal(false);
    expect((await rolesOf(acme.id)).map(({ role }) => role)).to.deep.equal(['main', 'sub', 'sub']);
  });

  it('a removal says what it means: more for the main account, and nothing of credentials for a person who has none', async () => {
    const acme = await newCompany();
    const administrator = await asAdministrator();
    const warnings = async (path: string) => textsOf(await administrator.get(`${path}/remove`), '.alert');
    const path = (email: string) => `/companies/${acme.id}${pathOf(email)}`;
    const deleted = 'The account is deleted for good. The audit trail stays.';
    const [main, ...others] = await warnings(path(await newUser(acme)));
    expect(main).to.match(
      /^This is the company's main account\. Without one, .* keep working until they are revoked\.$/,
    );
    expect(others).to.deep.equal([deleted]);
    for (const one of [path(await newUser(acme, 'sub')), `/administrators/${await newAdministrator()}`])
      expect(await warnings(one), one).to.deep.equal([deleted]);
  });

  it('another company’s account is as if it did not exist', async () => {
    const [acme, other] = [await newCompany(), await newCompany()];
    const client = await asPerson(acme);
    const _csrf = tokenIn(await client.get('/account'));
    const theirs = [await newUser(other), await newUser(other, 'sub')];
    const before = await db().user.findMany({ where: { companyId: other.id }, orderBy: { id: 'asc' } });
    for (const verb of ['remove', 'set-password'])
      for (const email of theirs) {
        const typed = { _csrf, currentPassword: password, companyId: String(other.id) };
        const [theirPage, nobody] = [pathOf(email), pathOf('nobody@example.com')].map((path) => `${path}/${verb}`);
        const answers = [await client.get(theirPage ?? ''), await client.post(theirPage ?? '', typed)];
        const none = [await client.get(nobody ?? ''), await client.post(nobody ?? '', typed)];
        expect(answers.map(({ status }) => status)).to.deep.equal([404, 404]);
        expect(answers.map((page) => textOf(page, 'main'))).to.deep.equal(none.map((page) => textOf(page, 'main')));
      }
    expect(textOf(await client.get('/people')))
      .not.to.contain(theirs[0])
      .and.not.to.contain(theirs[1]);
    expect(await db().user.findMany({ where: { companyId: other.id }, orderBy: { id: 'asc' } })).to.deep.equal(before);
  });

  it('an invitation of another company’s address takes nothing from its person and tells nothing about it', async () => {
    const [acme, hostile] = [await newCompany({ name: 'Vítima' }), await newCompany({ name: 'Hostil' })];
    const [victim, stranger] = [await newUser(acme), freshEmail()];
    const client = await asPerson(hostile);
    const answers = [];
    for (const email of [victim, stranger]) {
      const page = await invite(client, email);
      const said = textOf(page, 'main')
        .replaceAll(email, '...')
        .replace(/vaga_link_\w+/g, '...')
        .replace(/\d\d:\d\d/, '...');
      answers.push([page.status, said, await lastAudit(hostile.id).then(({ action }) => action)]);
      const { pathname, search } = new URL(textOf(page, '#secret'));
      const opened = new PageClient('company');
      const own = { newPassword: `a minha frase ${email}`, repeatedPassword: `a minha frase ${email}` };
      const set = await opened.submit(await opened.get(pathname + search), '/set-password', own);
      expect(textOf(await opened.follow(set), 'header')).to.contain('Hostil');
      const again = await invite(client, email);
      answers.push([again.status, textOf(again, '#email-error')]);
    }
    expect(answers.slice(0, 2)).to.deep.equal(answers.slice(2));
    expect(answers[1]).to.deep.equal([422, 'This e-mail address has an account.']);
    for (const [typed, company] of [
      [password, 'Vítima'],
      [`a minha frase ${victim}`, 'Hostil'],
    ] as const) {
      const own = new PageClient('company');
      expect((await own.signIn(victim, typed)).status).to.equal(303);
      expect(textOf(await own.get('/'), 'header .person > span')).to.equal(company);
    }
    // The operator's and the real company's own accounts of an invited address.
    await createUser(actionContext(), { companyId: acme.id, email: stranger, role: 'sub', password });
    expect((await new PageClient('company').signIn(stranger)).status).to.equal(303);
  });

  it('a company has at most 200 accounts, and erasing it erases them', async () => {
    const acme = await newCompany({ name: `Cheia ${Date.now()}` });
    const client = await asPerson(acme);
    const account = { companyId: acme.id, role: 'sub', passwordHash: 'none', createdAt: new Date() } as const;
    const data = Array.from({ length: accountsMax - 2 }, () => ({ ...account, email: freshEmail() }));
    await db().user.createMany({ data });
    const outcomes = await Promise.all(
      [1, 2, 3].map(async () => (await invite(PageClient.copyOf(client), freshEmail())).status),
    );
    expect(outcomes.sort()).to.deep.equal([200, 422, 422]);
    expect(textOf(await invite(client, freshEmail()))).to.contain('A company has at most 200 accounts.');
    expect(textsOf(await client.get('/people'), 'tbody tr')).to.have.length(accountsMax);
    const { name } = await db().company.findUniqueOrThrow({ where: { id: acme.id } });
    await eraseCompany(actionContext(), { companyId: acme.id, name });
    expect(await rolesOf(acme.id)).to.deep.equal([]);
  });
});
