import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { removeAdministrator } from '../../src/operations/users/people/account.ts';
import { setAdministratorPassword, setUserPassword } from '../../src/operations/users/people/set-password.ts';
import { accountRoutes } from '../../src/web/account-page.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { portals } from '../../src/web/portals.ts';
import { expectRefused } from '../helper/expect-refused.ts';
import { actionContext, clock, db, newCompany } from '../helper/fixtures.ts';
import {
  has,
  newAdministrator,
  newSubject,
  newUser,
  type Page,
  PageClient,
  password,
  prepareDecision,
  textOf,
  tokenIn,
} from '../helper/page-client.ts';

const next = 'uma-senha-bem-diferente';

/** A person of each portal, its pages, and a page with a form that is refused when it is empty. */
const subjects = {
  company: {
    newEmail: async (role: 'main' | 'sub') => newUser(await newCompany(), role),
    pages: dashboardPages,
    setPassword: setUserPassword,
    page: '/dashboard/sandbox',
    action: '/dashboard/sandbox/reset',
  },
  administrator: {
    newEmail: newAdministrator,
    pages: adminPages,
    setPassword: setAdministratorPassword,
    page: '/admin/plans/add',
    action: '/admin/plans/add',
  },
} as const satisfies Record<Portal, object>;

for (const portal of ['company', 'administrator'] as const) {
  const { newEmail, pages, setPassword, page: formPage, action } = subjects[portal];
  const { base } = portals[portal];
  let email: string;
  let client: PageClient;
  const signIn = async (role: 'main' | 'sub') => {
    email = await newEmail(role);
    client = await PageClient.signedIn(portal, email);
  };

  describe(`a person’s own account: ${portal}`, () => {
    let page: Page;
    beforeEach(async () => {
      await signIn('sub');
      page = await client.get('/account');
    });

    const change = (typed: Record<string, string> = {}): Promise<Page> => {
      const fields = { currentPassword: password, newPassword: next, repeatedPassword: typed.newPassword ?? next };
      return client.submit(page, '/account/password', { ...fields, ...typed });
    };
    const statusOf = async (word: string) => (await new PageClient(portal).signIn(email, word)).status;

    it('after a change to the longest password only that signs in; other sessions end, and this browser gets a new session id', async () => {
      const others = [await PageClient.signedIn(portal, email), PageClient.copyOf(client)];
      const longest = '😀'.repeat(1000);
      // Its form is close to the maximum size.
      const answer = await change({ newPassword: longest });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, `${client.base}/account`]);
      expect(has(await client.follow(answer), '.notice')).to.equal(true);
      for (const other of others) expect((await other.get('/')).status).to.equal(303);
      expect([await statusOf(password), await statusOf(longest)]).to.deep.equal([422, 303]);
      const entry = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
      const noun = portal === 'company' ? 'user' : 'administrator';
      const id = Number(entry.actor.split(':')[1]);
      const recorded = { actor: `${noun}:${id}`, action: `${noun}.password_set`, details: { [`${noun}_id`]: id } };
      expect(entry).to.deep.include(recorded);
      expect(entry.companyId === null).to.equal(portal === 'administrator');
    });

    it('a refused password is an error beside its field and changes nothing; the browser is told which field is which', async () => {
      const kinds = [...page.document.querySelectorAll<HTMLInputElement>('input[type=password]')];
      const expected = ['current-password', 'new-password', 'new-password'];
      expect(kinds.map((input) => input.getAttribute('autocomplete'))).to.deep.equal(expected);
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
      expect(await statusOf(password)).to.equal(303);
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

  describe(`a form sent after its session has ended: ${portal}`, () => {
    let form: Page;
    beforeEach(async () => {
      await signIn('main');
      form = await client.get(formPage);
    });

    const signInAddress = `${base}/sign-in?next=${encodeURIComponent(action)}`;

    const other = 'outra-senha-para-testes';
    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      expired: async () => (clock.aheadMs = 12.1 * 3_600_000),
      'signed out in another tab': () => client.submit(form, '/sign-out'),
      'password changed elsewhere': () => setPassword(actionContext(), { email, password: other }),
    };
    for (const [how, end] of Object.entries(ends))
      it(`leads to the sign-in page and back to the form: ${how}`, async () => {
        await end();
        const answer = await client.submit(form, action);
        // The address of the form keeps the typed values (see every-route.sampled.test.ts). Other addresses lead to their page.
        const [page, at] = answer.status === 403 ? [answer, action] : [await client.follow(answer), '/sign-in'];
        let back = await client.submit(page, at, { email, password: how.startsWith('password') ? other : password });
        while (back.status === 303) back = await client.follow(back);
        // Its refusal is about its fields.
        expect((await client.submit(back, action)).status).to.equal(422);
      });

    it('asks again if a slow sign-in wrote the session after a change of the password: it has a token but no person', async () => {
      const people = { company: db().user, administrator: db().administrator } as const;
      const { id: personId } = await (people[portal] as typeof people.company).findFirstOrThrow({ where: { email } });
      const opened = await db().pageSession.findFirstOrThrow({ where: { portal, personId } });
      await setPassword(actionContext(), { email, password: other });
      await client.signIn(email, other);
      await db().pageSession.updateMany({ where: { portal, personId }, data: { data: opened.data ?? {} } });
      const asked = await client.submit(form, action);
      expect(asked.headers.location === signInAddress || has(asked, '[name=typed] ~ * #password')).to.equal(true);
    });

    it('without its session does nothing; every form then leads to its own page', async () => {
      const { acme, ref, fill: fillRoute } = await newSubject();
      const fill = (path: string): string => base + fillRoute(path);
      if (portal === 'company') {
        await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
        client = await PageClient.signedIn(portal, await newUser(acme));
      }
      for (const { method, path: pattern } of [...accountRoutes, ...pages.routes]) {
        if (method !== 'post') continue;
        const path = fill(pattern);
        const visitor = new PageClient(portal);
        const answer = await visitor.post(path, { _csrf: tokenIn(form) });
        expect(answer.headers.location).to.equal(`${base}/sign-in?next=${encodeURIComponent(path)}`);
        expect(visitor.cookies.size, path).to.equal(0);
        await prepareDecision(acme.id, path);
        let back = await client.get(path);
        if (back.status === 303) back = await client.follow(back);
        expect(has(back, `form[action="${path}"]`), path).to.equal(true);
      }
    });
  });
}

describe('the administrators', () => {
  const left = () => db().administrator.count();

  it('nobody removes their own account or sets its password by a link, which their next press would lose', async () => {
    const email = await newAdministrator();
    const client = await PageClient.signedIn('administrator', email);
    const stored = () => db().administrator.findUnique({ where: { email } });
    const before = await stored();
    const path = `/administrators/${encodeURIComponent(email)}`;
    for (const [verb, typed] of [
      ['remove', { reason: 'Engano.' }],
      ['set-password', { reason: 'Engano.', currentPassword: password }],
    ] as const) {
      const answer = await client.send(`${path}/${verb}`, typed);
      expect([answer.status, textOf(answer, '[role=alert]')], verb).to.deep.equal([
        422,
        'Only another administrator can do this to your account. Change your own password on the page “Your account”.',
      ]);
      expect(await stored(), verb).to.deep.equal(before);
    }
    const list = await client.follow(await client.get(`/find?text=${encodeURIComponent(email)}`));
    const own = [...list.document.querySelectorAll('tbody tr')].find((row) => row.textContent?.includes(email));
    expect([...(own?.querySelectorAll('a') ?? [])].map(({ href }) => href)).to.deep.equal(['/admin/account']);
  });

  it('of several simultaneous removals by anybody, one is refused, and one administrator remains', async () => {
    await db().administrator.deleteMany();
    const [first, second] = [await newAdministrator(), await newAdministrator()];
    const remove = (email: string) => () => removeAdministrator(actionContext(), { email });
    const outcomes = await Promise.allSettled([first, second].map((email) => remove(email)()));
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const [{ email = '' } = {}] = await db().administrator.findMany();
    await expectRefused('last_administrator', remove(email));
    expect(await left()).to.equal(1);
    await newAdministrator();
    await remove(email)();
    expect(await left()).to.equal(1);
  });
});
