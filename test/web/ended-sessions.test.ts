import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { setAdministratorPassword, setUserPassword } from '../../src/operations/people/set-password.ts';
import { accountRoutes } from '../../src/web/account-page.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { portals } from '../../src/web/portals.ts';
import { actionContext, db, later, newCompany } from '../helper/fixtures.ts';
import {
  has,
  newAdministrator,
  newSubject,
  newUser,
  type Page,
  PageClient,
  password,
  textOf,
} from '../helper/page-client.ts';

/** A person of each portal, its pages, and a page with a form that is refused when it is empty. */
const subjects = {
  company: {
    newEmail: async () => newUser(await newCompany()),
    pages: dashboardPages,
    setPassword: setUserPassword,
    page: '/dashboard/sandbox',
    action: '/dashboard/sandbox/reset',
  },
  administrator: {
    newEmail: newAdministrator,
    pages: adminPages,
    setPassword: setAdministratorPassword,
    page: '/admin/plans/set',
    action: '/admin/plans/set',
  },
} as const satisfies Record<Portal, object>;

const hasEnded = 'Your session has ended';

for (const portal of ['company', 'administrator'] as const) {
  const { newEmail, pages, setPassword, page, action } = subjects[portal];
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

    const expectRedirect = (answer: Page, to = `${base}/sign-in?ended=yes&next=${encodeURIComponent(page)}`) =>
      expect([answer.status, answer.headers.location]).to.deep.equal([303, to]);

    /** Sends the form, signs in where that leads, and is back at the form. */
    async function expectWayBack(newPassword = password): Promise<void> {
      const answer = await client.submit(form, action);
      expectRedirect(answer);
      const signIn = await client.follow(answer);
      expect(textOf(signIn, '.notice[role=status]')).to.include(hasEnded);
      const accepted = await client.submit(signIn, '/sign-in', { email, password: newPassword });
      expectRedirect(accepted, page);
      const back = await client.follow(accepted);
      expect(textOf(back, 'main')).not.to.include(hasEnded);
      // The form shown now is accepted: its refusal is about its fields.
      expect((await client.submit(back, action)).status).to.equal(422);
    }

    it('leads to the sign-in page and back to the form: expired', () => later(31 * 60_000, () => expectWayBack()));

    it('the same: signed out in another tab, which shows the sign-in page', async () => {
      await client.follow(await client.submit(form, '/sign-out'));
      await expectWayBack();
    });

    it('the same: the password was changed elsewhere', async () => {
      const people = { company: db().user, administrator: db().administrator } as const;
      const { id: personId } = await (people[portal] as typeof people.company).findUniqueOrThrow({ where: { email } });
      const opened = await db().pageSession.findFirstOrThrow({ where: { portal, personId } });
      await setPassword(actionContext(), { email, password: 'outra-senha-para-testes' });
      await expectWayBack('outra-senha-para-testes');
      // A session that a slow sign-in wrote after the change has a token, but no person.
      await db().pageSession.updateMany({ where: { portal, personId }, data: { data: opened.data ?? {} } });
      expectRedirect(await client.submit(form, action));
    });

    it('leads back to the form with a notice if the person has signed in again', async () => {
      // As signing out and in again in another tab does.
      await client.submit(await client.get('/'), '/sign-out');
      expect((await client.signIn(email)).status).to.equal(303);
      const answer = await client.submit(form, action);
      expectRedirect(answer, page);
      const back = await client.follow(answer);
      expect(textOf(back, '.notice[role=status]')).not.to.equal('');
      expect((await client.submit(back, action)).status).to.equal(422);
    });

    it('changes nothing and creates no session, so that a form of another site cannot replace one', async () => {
      const answer = await new PageClient(portal).submit(form, action, { word: 'RESET' });
      expectRedirect(answer);
      expect(answer.headers['set-cookie']).to.equal(undefined);
    });

    it('is still 403 if another site sent it, or if it has no token', async () => {
      for (const site of ['cross-site', 'same-site'])
        for (const sender of [client, new PageClient(portal)]) {
          const answer = await sender.post(action, { _csrf: '0'.repeat(64) }, { 'Sec-Fetch-Site': site });
          expect(answer.status, site).to.equal(403);
        }
      for (const fields of [{}, ...['', 'x', '0'.repeat(63)].map((_csrf) => ({ _csrf }))])
        expect((await client.post(action, fields)).status, JSON.stringify(fields)).to.equal(403);
    });

    it('the sign-in form: its page is shown again and still leads to the form', async () => {
      const anonymous = new PageClient(portal);
      const signIn = await anonymous.get(`/sign-in?next=${encodeURIComponent(page)}`);
      anonymous.cookies.clear();
      const answer = await anonymous.submit(signIn, '/sign-in', { email, password });
      expectRedirect(answer);
      expect(answer.headers['set-cookie']).to.equal(undefined);
      const again = await anonymous.follow(answer);
      expectRedirect(await anonymous.submit(again, '/sign-in', { email, password }), page);
    });

    it('every form leads back to a page that has it', async () => {
      const { acme, fill: fillRoute } = await newSubject();
      const fill = (path: string): string => base + fillRoute(path);
      if (portal === 'company') client = await PageClient.signedIn(portal, await newUser(acme));
      // The page has it only for a denied job, and nothing in its place.
      const absent = ['/jobs/:environment/:job/resubmit'];
      for (const { path, method } of [...accountRoutes, ...pages.routes]) {
        if (method !== 'post') continue;
        const answer = await new PageClient(portal).post(fill(path), { _csrf: '0'.repeat(64) });
        const back = new URLSearchParams(answer.headers.location?.split('?')[1]).get('next') ?? base;
        const shown = await client.get(back);
        expect(shown.status, path).to.equal(200);
        expect(has(shown, `form[action="${fill(path)}"]`) || absent.includes(path), `${back} ${fill(path)}`).to.equal(
          true,
        );
      }
    });
  });
}
