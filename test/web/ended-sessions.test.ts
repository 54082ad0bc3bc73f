import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { denyJob } from '../../src/operations/jobs/review-job.ts';
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
  tokenIn,
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

    const expectRedirect = ({ status, headers }: Page, to = `${base}/sign-in?next=${encodeURIComponent(action)}`) =>
      expect([status, headers.location]).to.deep.equal([303, to]);

    /** Sends the form, signs in where that leads, and is back at the form, which is accepted. */
    async function expectWayBack(newPassword = password): Promise<void> {
      const answer = await client.submit(form, action);
      expectRedirect(answer);
      const accepted = await client.submit(await client.follow(answer), '/sign-in', { email, password: newPassword });
      expectRedirect(accepted, action);
      let back = await client.follow(accepted);
      if (back.status === 303) back = await client.follow(back);
      // Its refusal is about its fields.
      expect((await client.submit(back, action)).status).to.equal(422);
    }

    it('leads to the sign-in page and back to the form: expired', () => later(12.1 * 3_600_000, () => expectWayBack()));

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

    it('without its session does nothing; every form then leads to the page that has it', async () => {
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
        expectRedirect(answer, `${base}/sign-in?next=${encodeURIComponent(path)}`);
        expect(visitor.cookies.size, path).to.equal(0);
        let back = await client.get(path);
        if (back.status === 303) back = await client.follow(back);
        expect(has(back, `form[action="${path}"]`), path).to.equal(true);
      }
    });
  });
}
