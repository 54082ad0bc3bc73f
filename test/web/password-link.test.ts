import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { setAdministratorPassword, setUserPassword } from '../../src/operations/users/people/set-password.ts';
import { SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { actionContext, db, freshEmail, later, newCompany, startWholeApp } from '../helper/fixtures.ts';
import {
  accountAt,
  asAdministrator,
  has,
  newAdministrator,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
  textsOf,
  valueIn,
} from '../helper/page-client.ts';
import { recordedLog } from '../helper/recorded-log.ts';

const next = 'uma-senha-bem-diferente';
const typed = { newPassword: next, repeatedPassword: next };
const hourMs = 3_600_000;

const kinds = {
  company: {
    newEmail: async () => newUser(await newCompany()),
    setPassword: setUserPassword,
  },
  administrator: {
    newEmail: newAdministrator,
    setPassword: setAdministratorPassword,
  },
} as const satisfies Record<Portal, object>;

/** The path of a link that is shown on a page. */
const linkOn = (page: Page): string =>
  new URL(textOf(page, '#secret')).pathname + new URL(textOf(page, '#secret')).search;

/** Every row of every table, as text. */
async function allRows(): Promise<string> {
  const tables = await db().$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;
  const texts: string[] = [];
  for (const { name } of tables)
    for (const { text } of await db().$queryRawUnsafe<{ text: string }[]>(
      `SELECT string_agg(row_to_json(t)::text, '') AS text FROM "${name}" t`,
    ))
      texts.push(text ?? '');
  return texts.join();
}

for (const portal of ['company', 'administrator'] as const) {
  const { newEmail, setPassword } = kinds[portal];
  const newLink = async (email: string) => (await setPassword(actionContext(), { email })).path ?? '';
  const statusOf = async (email: string, word: string) => (await new PageClient(portal).signIn(email, word)).status;
  const signedInWith = async (email: string, word: string) => {
    const client = new PageClient(portal);
    await client.signIn(email, word);
    return client;
  };
  const open = async (link: string, client = new PageClient(portal)) => ({ client, page: await client.get(link) });
  const use = async (link: string): Promise<Page> => {
    const { client, page } = await open(link);
    return page.status === 200 ? client.submit(page, '/set-password', typed) : page;
  };

  describe(`a link that sets a password: ${portal}`, () => {
    let email: string;
    let link: string;
    beforeEach(async () => {
      email = await newEmail();
      link = await newLink(email);
    });

    it('ends the old password and all sessions; sets a password once and signs in; opening it does not use it up', async () => {
      const personId = (await accountAt(portal, email))?.id ?? null;
      await use(link);
      const other = await signedInWith(email, next);
      link = await newLink(email);
      expect((await other.get('/')).status).to.equal(303);
      await open(link);
      const { client, page } = await open(link);
      expect(page.status).to.equal(200);
      expect(valueIn(page, '[type=email][readonly][autocomplete=username]')).to.equal(email);
      expect(await statusOf(email, next), 'the old password').to.equal(422);
      const own = { newPassword: `${next}-2`, repeatedPassword: `${next}-2` };
      const answer = await client.submit(page, '/set-password', own);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, client.base]);
      expect(textOf(page, 'main')).not.to.match(/session|[Cc]hange/);
      expect(textOf(await client.follow(answer), '.notice')).to.equal('Your password is set.');
      expect(await db().pageSession.count({ where: { portal, personId } })).to.equal(1);
      expect([await statusOf(email, next), await statusOf(email, own.newPassword)]).to.deep.equal([422, 303]);
      expect((await use(link)).status).to.equal(404);
      expect(await statusOf(email, own.newPassword)).to.equal(303);
    });

    it('works for one of two people who use it at the same time', async () => {
      const opened = [await open(link), await open(link)];
      const answers = await Promise.all(
        opened.map(({ client, page }, at) => {
          const own = `${next}-${at}`;
          return client.submit(page, '/set-password', { newPassword: own, repeatedPassword: own });
        }),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404]);
      const winner = answers.findIndex(({ status }) => status === 303);
      expect(await statusOf(email, `${next}-${winner}`)).to.equal(303);
    });

    it('gets the same answer whether it never existed, was used, is a day old, was replaced, or another password was set', async () => {
      const ended = {
        unknown: `${link.slice(0, -4)}0000`,
        malformed: link.replace(/=.*/, '=%00%ff'),
        none: link.replace(/[?].*/, ''),
        used: await newLink(email),
        replaced: '',
        changed: '',
      };
      await use(ended.used);
      ended.replaced = await newLink(email);
      ended.changed = await newLink(email);
      expect((await open(ended.changed)).page.status).to.equal(200);
      await setPassword(actionContext(), { email, password });
      const texts = new Set<string>();
      const expectEnded = async (name: string, path: string) => {
        const { page } = await open(path);
        expect([page.status, has(page, 'main form')], name).to.deep.equal([404, false]);
        texts.add(textOf(page, 'main'));
      };
      for (const [name, path] of Object.entries(ended)) await expectEnded(name, path);
      const old = await newLink(email);
      const filled = await open(old);
      await later(23.9 * hourMs, async () => expect((await open(old)).page.status).to.equal(200));
      await later(24.1 * hourMs, async () => {
        await expectEnded('old', old);
        const late = await filled.client.submit(filled.page, '/set-password', typed);
        // The session of the form has ended too.
        expect(late.status).to.be.oneOf([403, 404]);
      });
      // A form that was open when the link ended.
      const { client, page } = await open(await newLink(email));
      await newLink(email);
      const refused = await client.submit(page, '/set-password', typed);
      expect(refused.status).to.equal(404);
      texts.add(textOf(refused, 'main'));
      expect([...texts]).to.have.length(1);
      expect(await statusOf(email, next)).to.equal(422);
    });

    it('is not used up by a refused password, or by a form without a CSRF token or from another site', async () => {
      const { client, page } = await open(link);
      for (const [field, fields] of [
        ['newPassword', { newPassword: 'curta', repeatedPassword: 'curta' }],
        ['repeatedPassword', { newPassword: next, repeatedPassword: `${next}.` }],
      ] as const) {
        const refused = await client.submit(page, '/set-password', fields);
        expect(refused.status).to.equal(422);
        expect(textOf(refused, `#${field}-error`)).not.to.equal('');
        expect(has(refused, '[type=password][value]')).to.equal(false);
      }
      expect((await new PageClient(portal).post(link, typed)).status).to.equal(403);
      expect((await client.post(link, typed, { 'Sec-Fetch-Site': 'cross-site' })).status).to.equal(403);
      expect(await statusOf(email, next)).to.equal(422);
      expect((await client.submit(page, '/set-password', typed)).status).to.equal(303);
    });

    it('appears in no log line, metric, table or referrer, and has 192 random bits', async () => {
      const { log, lines } = recordedLog();
      const metrics = new Metrics();
      const { server: at, settle } = await startWholeApp({}, { log, observe: (one) => metrics.observe(one) });
      const secret = link.replace(/.*=/, '');
      expect(secret).to.match(/^vaga_link_[0-9a-f]{48}$/);
      expect(await newLink(email)).not.to.contain(secret);
      link = await newLink(email);
      const live = link.replace(/.*=/, '');
      const client = new PageClient(portal, at);
      const pages = [await client.get(link), await client.get(`${link}0`)];
      pages.push(await client.submit(pages[0] as Page, '/set-password', { ...typed, repeatedPassword: '' }));
      await client.switchLanguage(pages[0] as Page);
      const switched = await client.submit(pages[2] as Page, '/set-password', { ...typed, language: 'pt' });
      expect([switched.status, textOf(switched, 'h1')]).to.deep.equal([200, 'Nova palavra-passe']);
      await client.submit(switched, '/set-password', { language: 'en' });
      for (const page of pages) expect(page.headers['referrer-policy']).to.equal('no-referrer');
      const before = await allRows();
      expect((await client.submit(pages[0] as Page, '/set-password', typed)).status).to.equal(303);
      await settle();
      for (const text of [JSON.stringify(lines), await metrics.text(), before, await allRows()])
        expect(text.includes(live) || text.includes(Buffer.from(live).toString('hex'))).to.equal(false);
      expect(lines.map(({ route }) => route)).to.include(`${client.base}/set-password`);
      expect(lines.map(({ reason }) => reason)).to.include('link_ended');
    });

    it('counts against nobody if it does not work, so that no image of another site blocks signing in', async () => {
      for (let n = 0; n < 31; n++) expect((await open(`${link}${n}`)).page.status).to.equal(404);
      expect(await db().rateLimit.count()).to.equal(0);
      expect((await use(link)).status).to.equal(303);
      expect(await statusOf(email, next)).to.equal(303);
    });
  });
}

describe('people in the administration', () => {
  let administrator: PageClient;
  before(async () => {
    administrator = await asAdministrator();
  });

  it('are created without a password, and set one with a link that is shown once', async () => {
    const acme = await newCompany();
    for (const [portal, path, more] of [
      ['company', `/companies/${acme.id}/create-user`, { role: 'main' }],
      ['administrator', '/administrators/create', {}],
    ] as const) {
      const email = freshEmail();
      const form = await administrator.get(path);
      expect(has(form, '#password')).to.equal(false);
      const fields = { email, ...more, currentPassword: password };
      const shown = await administrator.submit(form, path, fields);
      expect([shown.status, shown.headers['cache-control']]).to.deep.equal([200, 'no-store']);
      const again = await administrator.submit(form, path, fields);
      expect(linkOn(again)).to.equal(linkOn(shown));
      for (const word of ['', password, email, linkOn(shown).replace(/.*=/, '')])
        expect((await new PageClient(portal).signIn(email, word)).status).to.equal(422);
      const person = new PageClient(portal);
      await person.submit(await person.get(linkOn(shown)), '/set-password', typed);
      expect((await person.get('/')).status).to.equal(200);
      expect((await new PageClient(portal).signIn(email, next)).status).to.equal(303);
    }
  });

  it('get a new link, are unlocked and removed from the page that lists them', async () => {
    const acme = await newCompany();
    for (const [portal, list, email] of [
      ['company', `/companies/${acme.id}`, await newUser(acme, 'sub')],
      ['administrator', '/administrators', await newAdministrator()],
    ] as const) {
      const path = `${portal === 'company' ? `${list}/people` : list}/${encodeURIComponent(email)}`;
      const links = async () =>
        textsOf(await administrator.get(list), `a[href^="/admin${path}/"]`).map((text) => text.split(' ')[0]);
      if (portal === 'company') expect(await links()).to.deep.equal(['New', 'Remove']);
      for (let n = 0; n < 11; n++)
        await new SignInLimits(db()).countFailure({ portal, email, address: '192.0.2.1' }, []);
      if (portal === 'company') expect(await links()).to.deep.equal(['New', 'Unlock', 'Remove']);
      const fields = { currentPassword: password, reason: 'Esqueceu-se.' };
      const shown = await administrator.send(`${path}/set-password`, fields);
      for (const [verb, notice] of [
        ['unlock', `${email} can sign in again.`],
        ['remove', `${email} can no longer sign in.`],
      ]) {
        const done = await administrator.follow(await administrator.send(`${path}/${verb}`, fields));
        expect(textOf(done, '.notice')).to.equal(notice);
      }
      expect((await new PageClient(portal).get(linkOn(shown))).status).to.equal(404);
      for (const name of ['set-password', 'unlock', 'remove'])
        expect((await administrator.get(`${path}/${name}`)).status, name).to.equal(404);
    }
  });

  it('who forgot a password learn whom to ask, in both languages', async () => {
    for (const portal of ['company', 'administrator'] as const) {
      const page = await new PageClient(portal).get('/sign-in');
      expect(textOf(page, 'details')).to.match(/administrator.*link|link.*administrator/i);
      const other = await new PageClient(portal).get('/sign-in', { 'Accept-Language': 'pt' });
      expect(textOf(other, 'details')).to.match(/ligação/);
    }
  });
});
