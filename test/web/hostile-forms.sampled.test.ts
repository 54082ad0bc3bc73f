import type { Server } from 'node:http';
import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import { startMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { accountRoutes } from '../../src/web/account-page.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { sample } from '../helper/draws.ts';
import { actionContext, startApp } from '../helper/fixtures.ts';
import {
  asPerson,
  leaveMaintenance,
  newAdministrator,
  newSubject,
  type Page,
  PageClient,
  password,
  prepareDecision,
} from '../helper/page-client.ts';

const pages = { company: dashboardPages, administrator: adminPages } as const;

/** Paths from the portals' own route tables, so that no route is forgotten. */
const pathsOf = (portal: Portal, wanted: 'get' | 'post'): string[] => [
  '/sign-in',
  ...[...accountRoutes, ...pages[portal].routes].filter(({ method }) => method === wanted).map(({ path }) => path),
];

/** Encoded as in a query or a form. */
const nuls = sample(['%00', 'a%00b'], 1);
const odd = '%ED%A0%80 %FF% %0D%0A -1 9999-12-31 2026-02-30'.split(' ');
const hostile = sample([...odd, '', '9'.repeat(40), 'x'.repeat(12_000)], 1);
const values = [...nuls, ...hostile];

/** A subject and a client for one route, signed in unless the route is for signing in. */
async function newFixture(portal: Portal, path = '') {
  // A form that was accepted has closed the API.
  if (path.startsWith('/maintenance')) await leaveMaintenance();
  const { acme, ref, fill } = await newSubject();
  if (path === '/maintenance/end') await startMaintenance(actionContext(), { retryAfter: 1 });
  await prepareDecision(acme.id, path);
  if (path.endsWith('/resubmit')) await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
  // Failed sign-ins count for the address, so each has an app of its own.
  if (path === '/sign-in') return { client: new PageClient(portal, await startApp()), fill };
  if (portal === 'company') return { client: await asPerson(acme, 'main', app), fill };
  if (!/^\/(account|sign-out)/.test(path)) return { client: administrator, fill };
  return { client: await PageClient.signedIn(portal, await newAdministrator(), app), fill };
}

type Fixture = Awaited<ReturnType<typeof newFixture>>;
let app: Server;
/** Only the forms of the account end a session. */
let administrator: PageClient;

/** The page with a route's form: its own, or the one a level up. */
const pageOf = (portal: Portal, path: string): string =>
  pathsOf(portal, 'get').includes(path) ? path : path.replace(/\/[^/]*$/, '');

const namesIn = (form: Element): string[] =>
  [...form.querySelectorAll('[name]')].map((field) => field.getAttribute('name') ?? '');

/** Valid values, so that only the hostile field is wrong. */
const typed: Record<string, string> = {
  password,
  currentPassword: password,
  newPassword: 'uma-senha-bem-diferente',
  label: 'site',
  reason: 'Falta o salário.',
  name: 'Mini',
  limit: '1',
  plan: 'Pro',
  role: 'sub',
  email: 'ninguem@example.com',
  word: 'RESET',
};

/** The fields of the route's form on a page, with valid values. */
function validForm({ client, fill }: Fixture, { document }: Page, path: string): Field[] {
  const form = `form[method=post][action="${client.base}${fill(path)}"]`;
  const fields = document.querySelectorAll<HTMLInputElement>(`${form} :is(input, select, textarea)[name]`);
  return [...fields].map(({ name, value }) => [name, typed[name] ?? value]);
}

type Field = readonly [name: string, value: string];

/** The fields of a job are hostile at once, because each is judged alone. */
const hostileName = (name: string): string => name.replace(/^job[.].*/, 'job.');

/** The encoded form with one field replaced by a raw value. */
function bodyWith(fields: readonly Field[], name: string, raw: string): string {
  const others = fields.filter(([other]) => hostileName(other) !== name).map(([other, value]) => [other, value]);
  const replaced = fields.filter(([other]) => hostileName(other) === name).map(([other]) => `${other}=${raw}`);
  return [String(new URLSearchParams(others)), ...replaced].join('&');
}

describe('hostile input to the pages', () => {
  before(async () => {
    app = await startApp();
    administrator = await PageClient.signedIn('administrator', await newAdministrator(), app);
  });

  for (const portal of ['company', 'administrator'] as const) {
    describe(portal, () => {
      it('no query causes a 5xx', async () => {
        const { client, fill } = await newFixture(portal);
        for (const at of pathsOf(portal, 'get').map(fill)) {
          const { document } = await client.get(at);
          const filters = new Set([...document.querySelectorAll('main form:not([method=post])')].flatMap(namesIn));
          const names = filters.size > 0 ? [...filters, 'page', 'before'] : [];
          const queries = names.flatMap((name) => [...values, `1&${name}=2`].map((value) => `${name}=${value}`));
          // A page reads at most one of these. A longer query would be refused before the page.
          for (const value of values.map((one) => one.slice(0, 3000)))
            queries.push(['page', 'before', 'next'].map((name) => `${name}=${value}`).join('&'));
          for (const query of [...queries, '%00=1', '%ED%A0%80=1', '&&==', '%', '__proto__=1'])
            expect((await client.get(`${at}?${query}`)).status, `${at}?${query.slice(0, 60)}`).to.be.below(500);
        }
      });

      it('no path parameter causes a 5xx', async () => {
        const { client } = await newFixture(portal);
        for (const path of pathsOf(portal, 'get').filter((pattern) => pattern.includes(':')))
          for (const value of [...nuls, ...hostile.filter((text) => text !== '')]) {
            const { status } = await client.get(path.replace(/:\w+/g, value));
            expect(status, `${path} ${value.slice(0, 50)}`).to.be.within(400, 499);
          }
      });

      /** Read before the route: the first form that has one is enough. */
      const tried = new Set<string>();
      for (const path of sample(pathsOf(portal, 'post'), 10))
        it(`no form causes a 5xx, and NUL is refused: ${path}`, async () => {
          const at = pageOf(portal, path);
          let fixture = await newFixture(portal, path);
          const load = async () => validForm(fixture, await fixture.client.get(fixture.fill(at)), path);
          let fields = await load();
          const names = [...new Set(fields.map(([name]) => hostileName(name)))];
          expect(names).to.include('_csrf');
          for (const name of names.filter((one) => !tried.has(one))) {
            if (['_csrf', 'once', 'onceKey'].includes(name)) tried.add(name);
            for (const value of [...values, `1&${name}=2`]) {
              const { client, fill } = fixture;
              const answer = await client.postRaw(fill(path), bodyWith(fields, name, value));
              const label = `${path} ${name}=${value.slice(0, 50)}`;
              if (nuls.includes(value)) expect(answer.status, label).to.equal(400);
              else expect(answer.status, label).to.be.below(500);
              // An accepted form changed the password, ended the session or reviewed the job.
              const isAccepted = answer.status === 303;
              if (isAccepted && !path.endsWith('/update')) fixture = await newFixture(portal, path);
              // A refused form can be sent again. One that was accepted, and answered with a page or another address, cannot.
              if (answer.status < 400) fields = await load();
            }
          }
          for (const body of ['%00=1', 'a=1&%00', '%', '__proto__=1', '&&=='])
            expect((await fixture.client.postRaw(fixture.fill(path), body)).status, body).to.be.within(400, 499);
        });

      after(leaveMaintenance);

      it('nothing ended the session that these tests share', async () => {
        expect((await administrator.get('')).status).to.equal(200);
      });
    });
  }
});
