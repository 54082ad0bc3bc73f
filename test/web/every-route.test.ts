import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { declarations } from '../../src/operations/declarations.ts';
import type { Declaration } from '../../src/operations/declare.ts';
import { fieldsOf } from '../../src/operations/fields.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { messageFor, rightOf, wrong } from '../helper/declared-inputs.ts';
import { db, newCompany, pagesPool } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
  has,
  newSubject,
  PageClient,
  password,
  textOf,
  tokenIn,
} from '../helper/page-client.ts';

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
    const sub = await asPerson(acme, 'sub');
    const stranger = await asPerson(await newCompany());
    const typed = { version: '1', word: 'RESET', currentPassword: password };
    const post = async (client: PageClient, path: string) =>
      client.post(fill(path), { _csrf: tokenIn(await client.get('/account')), ...typed });
    const posts = pathsOf(dashboardPages, 'post');
    const actions = posts.map((path) => `/dashboard${fill(path)}`);
    for (const path of posts) {
      expect((await post(sub, path)).status, path).to.equal(403);
      if (path.includes(':')) expect((await post(stranger, path)).status, path).to.equal(404);
    }
    for (const path of pathsOf(dashboardPages, 'get').filter((one) => !one.includes(':request'))) {
      const page = await sub.get(fill(path));
      expect(page.status, path).to.equal(posts.includes(path) ? 403 : 200);
      expect(has(page, 'main form[method=post]'), path).to.equal(false);
      for (const action of actions) expect(has(page, `main a[href="${action}"]`), `${path} ${action}`).to.equal(false);
      if (path.includes(':')) expect((await stranger.get(fill(path))).status, path).to.equal(404);
    }
    expect(await factsOf(acme.id)).to.deep.equal(before);
  });
});

it('every page takes one connection to the database at a time', async () => {
  const { acme, fill } = await newSubject();
  const pool = pagesPool();
  let most = 0;
  const note = (): void => {
    most = Math.max(most, pool.totalCount - pool.idleCount);
  };
  pool.on('acquire', note);
  const clients = [await asPerson(acme), await asAdministrator()] as const;
  for (const [at, pages] of [dashboardPages, adminPages].entries())
    for (const path of pathsOf(pages, 'get')) {
      most = 0;
      await clients[at]?.get(fill(path));
      expect(most, path).to.equal(1);
    }
  pool.off('acquire', note);
});

describe('every route of the administration', () => {
  const nothing = ['999999999999999999', '0', 'x', '9'.repeat(40)];

  it('is 404 for a company that is none and for what is of another company or environment', async () => {
    const { acme, fill } = await newSubject();
    const before = await factsOf(acme.id);
    const other = await newCompany();
    const client = await asAdministrator();
    const sent = { _csrf: tokenIn(await client.get('')), version: '1', reason: 'Engano.' };
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
    const person = await asPerson(acme);
    const intruder = new PageClient('administrator');
    for (const value of person.cookies.values()) intruder.cookies.set('vaga_admin_session', value);
    for (const path of pathsOf(adminPages, 'get'))
      expect((await intruder.get(fill(path))).headers.location, path).to.contain('/admin/sign-in');
    for (const path of pathsOf(adminPages, 'post'))
      expect((await client.post(fill(path), {})).status, path).to.equal(403);
  });
});

const routes = { administrator: adminPages.routes, company: dashboardPages.routes };
const pathOf = (portal: Portal, operation: Declaration): string | undefined =>
  routes[portal].find((route) => route.operation === operation)?.path;
/** Their forms are written out on the page of a job, because the queue is worked through by keys. */
const reviews = ['job approve', 'job deny'];

describe('the pages of what people can do', () => {
  let clients: Record<Portal, PageClient>;
  let fill: (path: string) => string;
  before(async () => {
    const { acme, fill: ofSubject } = await newSubject();
    fill = ofSubject;
    clients = { administrator: await asAdministrator(), company: await asPerson(acme) };
  });

  it('are there for every change that an administrator may make', () => {
    for (const operation of declarations)
      if (operation.records && operation.by.includes('administrator') && !reviews.includes(operation.command))
        expect(pathOf('administrator', operation), operation.command).to.be.a('string');
  });

  for (const portal of ['administrator', 'company'] as const)
    for (const operation of declarations) {
      const route = pathOf(portal, operation);
      if (!route) continue;
      it(`${portal}, ${operation.command}: asks, and refuses what breaks a rule of the input, with the message of the command`, async () => {
        const [client, path] = [clients[portal], fill(route)];
        let page = await client.get(path);
        expect(page.status).to.equal(200);
        expect(textOf(page, 'h1')).to.contain(operation.title);
        expect(has(page, '.danger')).to.equal(operation.dangerous !== undefined);
        const fields = fieldsOf(operation.input).filter(({ name }) => has(page, `main [name=${name}]`));
        const typed = fields.filter(({ isRequired }) => isRequired).map((field) => [field.name, rightOf(field)[1]]);
        const needed: Record<string, string> = { ...Object.fromEntries(typed), currentPassword: password };
        for (const field of fields)
          for (const [value, text] of wrong[field.kind]) {
            const message = messageFor(operation, field.name, value);
            // An empty field that may be missing is missing.
            if (message === undefined || (text === '' && !field.isRequired)) continue;
            page = await client.submit(page, path, { ...needed, [field.name]: text });
            const about = `${field.name}: ${text.slice(0, 30)}`;
            expect(page.status, about).to.equal(422);
            const shown = textOf(page, `#${field.name}-error`).replace(/(?<=\d),(?=\d{3})/g, '');
            expect(shown, about).to.contain(message);
            const marked = `#${field.name}[aria-invalid=true][aria-describedby~=${field.name}-error]`;
            const input = (name: string) => page.document.querySelector<HTMLInputElement>(`#${name}`);
            // Regions are many boxes.
            if (field.kind !== 'ids') expect(has(page, marked), about).to.equal(true);
            for (const { name, kind } of fields)
              if (name !== field.name && name in needed && ['line', 'text', 'email', 'day'].includes(kind))
                expect(input(name)?.value, `${about}, ${name} is kept`).to.equal(needed[name]);
            expect(has(page, '[type=password][value]'), about).to.equal(false);
          }
      });
    }
});
