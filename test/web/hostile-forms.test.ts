import { expect } from 'chai';
import type { Portal } from '../../src/domain/actor.ts';
import { accountRoutes } from '../../src/web/account.tsx';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { newCompany, startApp } from '../helper/fixtures.ts';
import { newAdministrator, newUser, type Page, PageClient, password } from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

interface Address {
  readonly method: 'get' | 'post';
  /** Below the portal's base, with parameters such as `:job`. */
  readonly path: string;
}

const signIn: readonly Address[] = [
  { method: 'get', path: '/sign-in' },
  { method: 'post', path: '/sign-in' },
];

/** The portals' own route tables, so that no route is forgotten. */
const routes: Record<Portal, readonly Address[]> = {
  company: [...signIn, ...accountRoutes, ...dashboardPages.routes],
  administrator: [...signIn, ...accountRoutes, ...adminPages.routes],
};

/** Encoded as in a query or a form. */
const nuls = ['%00', 'a%00b'];
const hostile = [
  '',
  '%ED%A0%80',
  '%FF%',
  '%0D%0A',
  '-1',
  '9'.repeat(40),
  '9999-12-31',
  '2026-02-30',
  'x'.repeat(12_000),
];

/** A company with a job and a credential, a signed-in client, and a function that fills in path parameters. */
async function newFixture(portal: Portal, { isSignedIn = true } = {}) {
  const acme = await newCompany();
  const job = (await (await acme.writer('production')).create(minimalJob)).body.data.id;
  const { credentialId } = await acme.issue('sandbox', 'read');
  const email = await newUser(acme);
  const client = new PageClient(portal, await startApp());
  if (isSignedIn) await client.signIn(portal === 'company' ? email : await newAdministrator());
  const params: Record<string, unknown> = {
    company: acme.id,
    environment: 'production',
    job,
    credential: credentialId,
    category: 101,
  };
  const fill = (path: string): string =>
    path.replace(/:(\w+)/g, (_, name: string) =>
      String(params[name] ?? (path.startsWith('/credentials') ? credentialId : job)),
    );
  return { client, fill };
}

type Fixture = Awaited<ReturnType<typeof newFixture>>;

/** The path of a page that has the form for a route; undefined if no page has it. */
async function pageWithForm(portal: Portal, { client, fill }: Fixture, path: string): Promise<string | undefined> {
  for (const { path: at } of gets(portal)) {
    const { document } = await client.get(fill(at));
    if (document.querySelector(formSelector(client.base + fill(path)))) return at;
  }
  return undefined;
}

const formSelector = (action: string): string => `form[method=post][action="${action}"]`;

const gets = (portal: Portal) => routes[portal].filter(({ method }) => method === 'get');
const posts = (portal: Portal) => routes[portal].filter(({ method }) => method === 'post');
const namesIn = (form: Element): string[] => [
  ...new Set([...form.querySelectorAll('[name]')].map((field) => field.getAttribute('name') ?? '')),
];

/** Valid values, so that only the hostile field is wrong. */
const typed: Record<string, string> = {
  password,
  currentPassword: password,
  newPassword: 'uma-senha-bem-diferente',
  label: 'site',
  reason: 'Falta o salário.',
  name: 'Mini',
  limit: '1',
  monthlyLimit: '1',
  email: 'ninguem@example.com',
  word: 'RESET',
};

/** The encoded form with one field replaced by a raw value. */
function bodyWith(page: Page, action: string, name: string, raw: string): string {
  const fields = new URLSearchParams();
  const form = page.document.querySelector(formSelector(action)) ? formSelector(action) : 'form[method=post]';
  const selector = `${form} :is(input, select, textarea)[name]`;
  for (const field of page.document.querySelectorAll<HTMLInputElement>(selector))
    if (field.name !== name) fields.append(field.name, typed[field.name] ?? field.value);
  return `${fields}&${name}=${raw}`;
}

for (const portal of ['company', 'administrator'] as const) {
  describe(`hostile input to the pages: ${portal}`, () => {
    it('no query causes a 5xx', async () => {
      const { client, fill } = await newFixture(portal);
      for (const { path } of gets(portal)) {
        const at = fill(path);
        const { document } = await client.get(at);
        const filters = [...document.querySelectorAll('form:not([method=post])')];
        const names = new Set([...filters.flatMap(namesIn), 'page', 'before', 'next', 'plan']);
        for (const name of names) {
          for (const value of [...nuls, ...hostile, `1&${name}=2`]) {
            const { status } = await client.get(`${at}?${name}=${value}`);
            expect(status, `${at}?${name}=${value.slice(0, 50)}`).to.be.below(500);
          }
        }
        for (const query of ['%00=1', '%ED%A0%80=1', '&&==', '%', '__proto__=1'])
          expect((await client.get(`${at}?${query}`)).status, query).to.be.below(500);
      }
    });

    it('no path parameter causes a 5xx', async () => {
      const { client } = await newFixture(portal);
      for (const { path } of gets(portal).filter(({ path: pattern }) => pattern.includes(':')))
        for (const value of [...nuls, ...hostile.filter((text) => text !== '')]) {
          const { status } = await client.get(path.replace(/:\w+/g, value));
          expect(status, `${path} ${value.slice(0, 50)}`).to.be.within(400, 499);
        }
    });

    for (const { path } of posts(portal))
      it(`no form causes a 5xx, and NUL is refused: ${path}`, async () => {
        const isSignedIn = path !== '/sign-in';
        let fixture = await newFixture(portal, { isSignedIn });
        const known = isSignedIn ? await pageWithForm(portal, fixture, path) : path;
        const load = () => fixture.client.get(fixture.fill(known ?? '/account'));
        let page = await load();
        const form = page.document.querySelector(formSelector(fixture.client.base + fixture.fill(path)));
        const names = form ? namesIn(form) : ['_csrf', 'other'];
        for (const name of names) {
          for (const value of [...nuls, ...hostile, `1&${name}=2`]) {
            const { client, fill } = fixture;
            const answer = await client.postRaw(fill(path), bodyWith(page, client.base + fill(path), name, value));
            const label = `${path} ${name}=${value.slice(0, 50)}`;
            if (nuls.includes(value)) expect(answer.status, label).to.equal(400);
            else expect(answer.status, label).to.be.below(500);
            // An accepted form changed the password, ended the session or reviewed the job.
            const isAccepted = answer.status === 303;
            if (isAccepted) fixture = await newFixture(portal, { isSignedIn });
            if (isAccepted || names.includes('once')) page = await load();
          }
        }
        for (const body of ['%00=1', 'a=1&%00', '%', '__proto__=1', '&&=='])
          expect((await fixture.client.postRaw(fixture.fill(path), body)).status, body).to.be.within(400, 499);
      });
  });
}
