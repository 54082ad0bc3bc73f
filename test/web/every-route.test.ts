import { expect } from 'chai';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { db, newCompany } from '../helper/fixtures.ts';
import { asAdministrator, newSubject, newUser, PageClient, password, textOf, tokenIn } from '../helper/page-client.ts';

const pathsOf = ({ routes }: typeof dashboardPages | typeof adminPages, method: 'get' | 'post'): string[] =>
  routes.filter((route) => route.method === method).map(({ path }) => path);

/** Everything that any of the forms may have changed. */
async function factsOf(companyId: bigint) {
  const where = { companyId };
  const actor = { not: { startsWith: 'operator' } };
  return {
    jobs: await db().job.findMany({ where }),
    credentials: await db().credential.findMany({ where, select: { id: true, revokedAt: true, expiresAt: true } }),
    audit: await db().auditEntry.count({ where: { companyId, actor } }),
  };
}

describe('every route of the dashboard', () => {
  it('shows a sub-account no action and refuses it every change; another company finds nothing', async () => {
    const { acme, fill } = await newSubject();
    const before = await factsOf(acme.id);
    const sub = await PageClient.signedIn('company', await newUser(acme, 'sub'));
    const stranger = await PageClient.signedIn('company', await newUser(await newCompany()));
    const sent = async (client: PageClient) => ({
      _csrf: tokenIn(await client.get('/account')),
      ...{ revision: '1', word: 'RESET', currentPassword: password },
    });
    const [bySub, byStranger] = [await sent(sub), await sent(stranger)];
    const posts = pathsOf(dashboardPages, 'post');
    const actions = posts.map((path) => `/dashboard${fill(path)}`);
    for (const path of posts) {
      const refused = await sub.post(fill(path), bySub);
      expect(refused.status, path).to.equal(403);
      expect(textOf(refused, 'main'), path).to.contain("Only the company's main account may");
      if (path.includes(':')) expect((await stranger.post(fill(path), byStranger)).status, path).to.equal(404);
    }
    for (const path of pathsOf(dashboardPages, 'get').filter((one) => !one.includes(':request'))) {
      const { status, document } = await sub.get(fill(path));
      expect(status, path).to.equal(posts.includes(path) ? 403 : 200);
      expect(document.querySelectorAll('main form[method=post]'), path).to.have.length(0);
      const links = [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'));
      expect(
        links.filter((href) => actions.includes(href ?? '')),
        path,
      ).to.deep.equal([]);
      if (path.includes(':')) expect((await stranger.get(fill(path))).status, path).to.equal(404);
    }
    expect(await factsOf(acme.id)).to.deep.equal(before);
  });
});

describe('every route of the administration', () => {
  const nothing = ['999999999999999999', '0', 'x', '9'.repeat(40)];

  it('is 404 for a company that is none and for what is of another company or environment', async () => {
    const { acme, fill } = await newSubject();
    const before = await factsOf(acme.id);
    const other = await newCompany();
    const client = await asAdministrator();
    const sent = { _csrf: tokenIn(await client.get('')), revision: '1', reason: 'Engano.' };
    const expectNothing = async (method: 'get' | 'post', path: string): Promise<void> => {
      const { status } = await (method === 'get' ? client.get(path) : client.post(path, sent));
      expect(status, `${method} ${path}`).to.equal(404);
    };
    for (const method of ['get', 'post'] as const)
      for (const path of pathsOf(adminPages, method).filter((one) => one.includes(':company'))) {
        for (const id of nothing) await expectNothing(method, fill(path.replace(':company', id)));
        if (!/:(job|credential)/.test(path)) continue;
        await expectNothing(method, fill(path.replace(':company', String(other.id))));
        if (path.includes(':job')) await expectNothing(method, fill(path.replace(':environment', 'sandbox')));
      }
    expect(await factsOf(acme.id)).to.deep.equal(before);
  });

  it("needs an administrator's session and the token of its form", async () => {
    const { acme, fill } = await newSubject();
    const client = await asAdministrator();
    const person = await PageClient.signedIn('company', await newUser(acme));
    const intruder = new PageClient('administrator');
    for (const value of person.cookies.values()) intruder.cookies.set('vaga_admin_session', value);
    for (const path of pathsOf(adminPages, 'get'))
      expect((await intruder.get(fill(path))).headers.location, path).to.contain('/admin/sign-in');
    for (const path of pathsOf(adminPages, 'post'))
      expect((await client.post(fill(path), {})).status, path).to.equal(403);
  });
});
