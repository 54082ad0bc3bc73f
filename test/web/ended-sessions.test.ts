import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { setAdministratorPassword, setUserPassword } from '../../src/operations/people/set-password.ts';
import { accountRoutes } from '../../src/web/account-page.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { portals } from '../../src/web/portals.ts';
import { actionContext, clock, db, newCompany } from '../helper/fixtures.ts';
import {
  newAdministrator,
  newSubject,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
  tokenIn,
} from '../helper/page-client.ts';

const pages = { company: dashboardPages, administrator: adminPages } as const;

/** A person of each portal, and a page with a form that is refused when it is empty. */
const subjects: Readonly<Record<Portal, { newEmail: () => Promise<string>; page: string; action: string }>> = {
  company: {
    newEmail: async () => newUser(await newCompany()),
    page: '/dashboard/sandbox',
    action: '/dashboard/sandbox/reset',
  },
  administrator: { newEmail: newAdministrator, page: '/admin/plans/set', action: '/admin/plans/set' },
};

const hasEnded = 'Your session has ended';
const signInFor = (base: string, page: string): string =>
  `${base}/sign-in?ended=yes${page === base ? '' : `&next=${encodeURIComponent(page)}`}`;

/** Replaces the client's session by a new one of the same person, as signing out and in again in another tab does. */
async function signInAgain(client: PageClient, email: string): Promise<void> {
  await client.submit(await client.get('/'), '/sign-out');
  expect((await client.signIn(email)).status).to.equal(303);
}

for (const portal of ['company', 'administrator'] as const) {
  const { newEmail, page, action } = subjects[portal];
  const { base } = portals[portal];

  describe(`a form sent after its session has ended: ${portal}`, () => {
    let email: string;
    let client: PageClient;
    let form: Page;
    beforeEach(async () => {
      email = await newEmail();
      client = await PageClient.signedIn(portal, email);
      form = await client.get(page);
    });

    /** Sends the form, signs in where that leads, and is back at the form. */
    async function expectWayBack(newPassword = password): Promise<void> {
      const answer = await client.submit(form, action);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, signInFor(base, page)]);
      const signIn = await client.follow(answer);
      expect(signIn.status).to.equal(200);
      expect(textOf(signIn, '.notice[role=status]')).to.include(hasEnded);
      const accepted = await client.submit(signIn, '/sign-in', { email, password: newPassword });
      expect(accepted.headers.location).to.equal(page);
      const back = await client.follow(accepted);
      expect(back.document.querySelector(`form[action="${action}"]`)).not.to.equal(null);
      expect(textOf(back, 'main')).not.to.include(hasEnded);
      // The form shown now is accepted: its refusal is about its fields.
      expect((await client.submit(back, action)).status).to.equal(422);
    }

    it('leads to the sign-in page and back to the form: expired', async () => {
      clock.aheadMs += 31 * 60_000;
      try {
        await expectWayBack();
      } finally {
        clock.aheadMs -= 31 * 60_000;
      }
    });

    it('the same: signed out in another tab, which shows the sign-in page', async () => {
      await client.follow(await client.submit(form, '/sign-out'));
      await expectWayBack();
    });

    it('the same: the password was changed elsewhere', async () => {
      const { personId } = await sessionOf(email);
      const opened = await db().pageSession.findFirstOrThrow({ where: { portal, personId } });
      const setPassword = portal === 'company' ? setUserPassword : setAdministratorPassword;
      await setPassword(actionContext(), { email, password: 'outra-senha-para-testes' });
      await expectWayBack('outra-senha-para-testes');
      // A session that a slow sign-in wrote after the change has a token, but no person.
      await db().pageSession.updateMany({ where: { portal, personId }, data: { data: opened.data ?? {} } });
      const answer = await client.post(action, { _csrf: tokenIn(form) });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, signInFor(base, page)]);
    });

    it('leads back to the form with a notice if the person has signed in again', async () => {
      await signInAgain(client, email);
      const answer = await client.submit(form, action);
      expect([answer.status, answer.headers.location]).to.deep.equal([303, page]);
      const back = await client.follow(answer);
      expect(textOf(back, '.notice[role=status]')).to.include('earlier session');
      expect((await client.submit(back, action)).status).to.equal(422);
    });

    it('changes nothing and creates no session, so that a form of another site cannot replace one', async () => {
      const stranger = new PageClient(portal);
      const answer = await stranger.post(action, { _csrf: tokenIn(form), word: 'RESET' });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, signInFor(base, page)]);
      expect(answer.headers['set-cookie']).to.equal(undefined);
    });

    it('is still 403 if another site sent it, or if it has no token', async () => {
      const stranger = new PageClient(portal);
      for (const site of ['cross-site', 'same-site'])
        for (const sender of [client, stranger]) {
          const answer = await sender.post(action, { _csrf: '0'.repeat(64) }, { 'Sec-Fetch-Site': site });
          expect(answer.status, site).to.equal(403);
        }
      for (const _csrf of ['', 'x', '0'.repeat(63)])
        expect((await client.post(action, { _csrf })).status, _csrf).to.equal(403);
      expect((await client.post(action, {})).status).to.equal(403);
    });

    it('the sign-in form: its page is shown again and still leads to the form', async () => {
      const anonymous = new PageClient(portal);
      const signIn = await anonymous.get(`/sign-in?next=${encodeURIComponent(page)}`);
      anonymous.cookies.clear();
      const answer = await anonymous.submit(signIn, '/sign-in', { email, password });
      expect([answer.status, answer.headers.location]).to.deep.equal([303, signInFor(base, page)]);
      expect(answer.headers['set-cookie']).to.equal(undefined);
      const again = await anonymous.follow(answer);
      const accepted = await anonymous.submit(again, '/sign-in', { email, password });
      expect(accepted.headers.location).to.equal(page);
    });
  });

  describe(`every form of a portal: ${portal}`, () => {
    it('leads back to a page that has it', async () => {
      const { acme, fill: fillRoute } = await newSubject();
      const fill = (path: string): string => base + fillRoute(path);
      const client = await PageClient.signedIn(portal, portal === 'company' ? await newUser(acme) : await newEmail());
      const stranger = new PageClient(portal);
      const routes = [...accountRoutes, ...pages[portal].routes];
      const pathsOf = (method: 'get' | 'post') => routes.filter((one) => one.method === method).map(({ path }) => path);
      // The page has it only for a denied job, and nothing in its place.
      const absent = ['/jobs/:environment/:job/resubmit'];
      for (const path of pathsOf('post')) {
        const answer = await stranger.post(fill(path), { _csrf: '0'.repeat(64) });
        const back = new URLSearchParams(answer.headers.location?.split('?')[1]).get('next') ?? base;
        const shown = await client.get(back);
        expect(shown.status, path).to.equal(200);
        const form = fill(path);
        if (!absent.includes(path) && !shown.document.querySelector(`form[action="${form}"]`))
          expect.fail(`${back} has no form for ${form}`);
      }
    });
  });
}

const sessionOf = async (email: string): Promise<{ personId: bigint }> => {
  const person =
    (await db().user.findUnique({ where: { email } })) ?? (await db().administrator.findUnique({ where: { email } }));
  return { personId: person?.id ?? 0n };
};
