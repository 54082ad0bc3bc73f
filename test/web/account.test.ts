import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { newAdministrator, newUser, type Page, PageClient, password, textOf } from '../helper/page-client.ts';

const next = 'uma-senha-bem-diferente';
const form = '/account/password';

const accounts: Record<Portal, () => Promise<string>> = {
  company: async () => newUser(await newCompany(), 'sub'),
  administrator: newAdministrator,
};

const change = async (client: PageClient, typed: Record<string, string> = {}): Promise<Page> =>
  client.submit(await client.get('/account'), form, {
    currentPassword: password,
    newPassword: next,
    repeatedPassword: typed.newPassword ?? next,
    ...typed,
  });

for (const portal of ['company', 'administrator'] as const) {
  describe(`changing one's own password: ${portal}`, () => {
    let email: string;
    let client: PageClient;
    beforeEach(async () => {
      email = await accounts[portal]();
      client = await PageClient.signedIn(portal, email);
    });

    it('only the new password signs in; other sessions end, and this browser gets a new session id', async () => {
      const elsewhere = await PageClient.signedIn(portal, email);
      const before = new Map(client.cookies);
      const answer = await change(client);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, `${client.base}/account`]);
      expect(textOf(await client.follow(answer), '.notice')).to.contain('Your password is changed.');
      expect((await elsewhere.get('/')).status).to.equal(303);
      const copy = new PageClient(portal);
      for (const [name, value] of before) copy.cookies.set(name, value);
      expect((await copy.get('/')).status).to.equal(303);
      expect((await new PageClient(portal).signIn(email)).status).to.equal(422);
      expect((await new PageClient(portal).signIn(email, next)).status).to.equal(303);
    });

    it('writes an audit entry with the person as the actor and without a password', async () => {
      await change(client);
      const entry = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
      const id = Number(entry.actor.split(':')[1]);
      expect(entry).to.deep.include(
        portal === 'company'
          ? { actor: `user:${id}`, action: 'user.password_set', details: { user_id: id } }
          : { actor: `administrator:${id}`, action: 'administrator.password_set', details: { administrator_id: id } },
      );
      expect(entry.companyId === null).to.equal(portal === 'administrator');
    });

    it('shows the error beside its field and changes nothing', async () => {
      for (const [typed, field] of [
        [{ currentPassword: 'uma-senha-errada' }, 'currentPassword'],
        [{ currentPassword: '' }, 'currentPassword'],
        [{ newPassword: 'curta' }, 'newPassword'],
        [{ newPassword: 'x'.repeat(1001) }, 'newPassword'],
        [{ repeatedPassword: `${next}.` }, 'repeatedPassword'],
        [{ repeatedPassword: '' }, 'repeatedPassword'],
      ] as const) {
        const page = await change(client, typed);
        expect(page.status).to.equal(422);
        expect(textOf(page, `#${field}-error`), JSON.stringify(typed)).not.to.equal('');
        expect(page.document.querySelectorAll('input[type=password][value]')).to.have.length(0);
      }
      expect((await client.get('/')).status).to.equal(200);
      expect((await new PageClient(portal).signIn(email)).status).to.equal(303);
    });

    it('tells the browser which field is the current password and which are the new one', async () => {
      const { document } = await client.get('/account');
      const kinds = [...document.querySelectorAll('input[type=password]')].map((input) =>
        input.getAttribute('autocomplete'),
      );
      expect(kinds).to.deep.equal(['current-password', 'new-password', 'new-password']);
    });

    it('accepts the longest password that an account may have', async () => {
      const longest = '😀'.repeat(1000);
      // Its form is close to the maximum size.
      expect((await change(client, { newPassword: longest })).status).to.equal(303);
      expect((await new PageClient(portal).signIn(email, longest)).status).to.equal(303);
    });

    it('of two simultaneous changes only one succeeds', async () => {
      const page = await client.get('/account');
      const both = await Promise.all(
        ['-um', '-dois'].map((end) =>
          client.submit(page, form, {
            currentPassword: password,
            newPassword: next + end,
            repeatedPassword: next + end,
          }),
        ),
      );
      // The other one lost its session, or found that the password had changed.
      const made = both.filter(({ headers }) => headers.location === `${client.base}/account`);
      expect(made).to.have.length(1);
    });
  });
}
