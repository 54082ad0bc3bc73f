import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { has, newAdministrator, newUser, type Page, PageClient, password, textOf } from '../helper/page-client.ts';

const next = 'uma-senha-bem-diferente';

const accounts: Record<Portal, () => Promise<string>> = {
  company: async () => newUser(await newCompany(), 'sub'),
  administrator: newAdministrator,
};

for (const portal of ['company', 'administrator'] as const) {
  describe(`one's own account: ${portal}`, () => {
    let email: string;
    let client: PageClient;
    let page: Page;
    beforeEach(async () => {
      email = await accounts[portal]();
      client = await PageClient.signedIn(portal, email);
      page = await client.get('/account');
    });

    const change = (typed: Record<string, string> = {}): Promise<Page> => {
      const fields = { currentPassword: password, newPassword: next, repeatedPassword: typed.newPassword ?? next };
      return client.submit(page, '/account/password', { ...fields, ...typed });
    };
    const signIn = async (word: string) => (await new PageClient(portal).signIn(email, word)).status;

    it('only a new password signs in; other sessions end, and this browser gets a new session id', async () => {
      const others = [await PageClient.signedIn(portal, email), PageClient.copyOf(client)];
      const answer = await change();
      expect([answer.status, answer.headers.location]).to.deep.equal([303, `${client.base}/account`]);
      expect(has(await client.follow(answer), '.notice')).to.equal(true);
      for (const other of others) expect((await other.get('/')).status).to.equal(303);
      expect([await signIn(password), await signIn(next)]).to.deep.equal([422, 303]);
      const entry = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
      const noun = portal === 'company' ? 'user' : 'administrator';
      const id = Number(entry.actor.split(':')[1]);
      const recorded = { actor: `${noun}:${id}`, action: `${noun}.password_set`, details: { [`${noun}_id`]: id } };
      expect(entry).to.deep.include(recorded);
      expect(entry.companyId === null).to.equal(portal === 'administrator');
    });

    it('a refused password is an error beside its field and changes nothing', async () => {
      for (const [field, value] of [
        ['currentPassword', 'uma-senha-errada'],
        ['currentPassword', ''],
        ['newPassword', 'curta'],
        ['newPassword', 'x'.repeat(1001)],
        ['repeatedPassword', `${next}.`],
        ['repeatedPassword', ''],
      ] as const) {
        page = await change({ [field]: value });
        expect(page.status).to.equal(422);
        expect(textOf(page, `#${field}-error`), `${field} ${value}`).not.to.equal('');
        expect(has(page, 'input[type=password][value]')).to.equal(false);
      }
      expect((await client.get('/')).status).to.equal(200);
      expect(await signIn(password)).to.equal(303);
    });

    it('tells the browser which field is the current password and which are the new one', () => {
      const kinds = [...page.document.querySelectorAll<HTMLInputElement>('input[type=password]')];
      const expected = ['current-password', 'new-password', 'new-password'];
      expect(kinds.map((input) => input.getAttribute('autocomplete'))).to.deep.equal(expected);
    });

    it('accepts the longest password that an account may have', async () => {
      const longest = '😀'.repeat(1000);
      // Its form is close to the maximum size.
      expect((await change({ newPassword: longest })).status).to.equal(303);
      expect(await signIn(longest)).to.equal(303);
    });

    it('of two simultaneous changes only one succeeds', async () => {
      const both = await Promise.all(['-um', '-dois'].map((end) => change({ newPassword: next + end })));
      // The other one lost its session, or found that the password had changed.
      const made = both.filter(({ headers }) => headers.location === `${client.base}/account`);
      expect(made).to.have.length(1);
    });

    it('signs out everywhere', async () => {
      const there = await PageClient.signedIn(portal, email);
      expect(textOf(page, 'main')).to.contain(email);
      await client.submit(page, '/account/sign-out-everywhere');
      for (const one of [client, there]) expect((await one.get('/account')).status).to.equal(303);
    });
  });
}
