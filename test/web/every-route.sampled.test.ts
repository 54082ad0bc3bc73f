import { expect } from 'chai';
import type { Context } from '../../src/context.ts';
import { operations } from '../../src/contract/document.ts';
import type { Portal } from '../../src/domain/actor.ts';
import { secretMessage } from '../../src/domain/token.ts';
import { withdrawApproval } from '../../src/operations/companies/people/change-company.ts';
import { declarations } from '../../src/operations/declarations.ts';
import { denyJob } from '../../src/operations/jobs/people/review-job.ts';
import type { Declaration } from '../../src/operations/kit/declare.ts';
import { type Field, fieldsOf } from '../../src/operations/kit/fields.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { adminPages } from '../../src/web/admin/admin.ts';
import { dashboardPages } from '../../src/web/dashboard/dashboard.ts';
import { messageFor, newWork, rightOf, secret, textsOf, wrong } from '../helper/declared-inputs.ts';
import { sample } from '../helper/draws.ts';
import { actionContext, db, newCompany, pagesPool, TestCompany } from '../helper/fixtures.ts';
import {
  asAdministrator,
  asPerson,
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
  valueIn,
} from '../helper/page-client.ts';
import { minimalJob } from '../helper/sample-jobs.ts';

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
  it('says why its form of something stored would be refused, instead of showing it, while the environment is closed', async () => {
    const { acme, fill } = await newSubject();
    const main = await asPerson(acme);
    const forms = dashboardPages.routes.flatMap(({ method, path, stored }) =>
      method === 'post' && stored ? [fill(path)] : [],
    );
    await withdrawApproval(actionContext(), { companyId: acme.id });
    expect(forms).to.not.deep.equal([]);
    for (const path of forms) {
      const page = await main.get(path);
      expect([page.status, has(page, 'main form')], path).to.deep.equal([200, false]);
      expect(textOf(page, 'main'), path).to.match(/This environment is closed to the company now/);
    }
  });

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
    for (const path of pathsOf(dashboardPages, 'get').filter((one) => !/:request|[.]csv$/.test(one))) {
      const page = await sub.get(fill(path));
      expect(page.status, path).to.equal(posts.includes(path) ? 403 : 200);
      expect(has(page, 'main form[method=post]'), path).to.equal(false);
      for (const action of actions) expect(has(page, `main a[href="${action}"]`), `${path} ${action}`).to.equal(false);
      if (path.includes(':')) expect((await stranger.get(fill(path))).status, path).to.equal(404);
    }
    expect(await factsOf(acme.id)).to.deep.equal(before);
  });
});

/** The texts of a page. */
const wordsOf = ({ document }: Page): Set<string> => {
  const texts = [...document.querySelectorAll('[title], [alt], [placeholder], [aria-label]')].flatMap((element) =>
    ['title', 'alt', 'placeholder', 'aria-label'].map((name) => element.getAttribute(name) ?? ''),
  );
  for (const element of document.querySelectorAll('body *'))
    for (const node of element.childNodes) if (node.nodeType === 3) texts.push(node.nodeValue ?? '');
  return new Set(texts.map((text) => text.trim()).filter((text) => /\p{L}{3}/u.test(text)));
};

const policy =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;base-uri 'none';frame-ancestors 'none';form-action 'self'";

for (const [portal, pages] of [
  ['company', dashboardPages],
  ['administrator', adminPages],
] as const)
  it(`every page has strict headers, a description, clear links and no untranslated text, and uses one connection: ${portal}`, async () => {
    const { acme, fill } = await newSubject();
    for (let n = 0; n < 2; n++) await acme.issue('sandbox', 'write', 7);
    const client = portal === 'company' ? await asPerson(acme) : await asAdministrator();
    const pool = pagesPool();
    let most = 0;
    const note = (): void => {
      most = Math.max(most, pool.totalCount - pool.idleCount);
    };
    pool.on('acquire', note);
    const select = { name: true };
    const named = [
      db().category.findMany({ select }),
      db().district.findMany({ select }),
      db().plan.findMany({ select }),
      db().company.findMany({ select }),
    ];
    const names = (await Promise.all(named)).flat().map(({ name }) => name);
    const titles = (await db().job.findMany({ select: { title: true } })).map(({ title }) => title);
    const ours = [
      'Vaga',
      'REST',
      'MCP',
      'Menu',
      'test',
      'Exemplo',
      ...operations.keys(),
      ...Object.values(minimalJob).map(String),
    ];
    const written = [...new Set([...names, ...titles, ...ours])];
    const isData = (text: string): boolean =>
      written.some((one) => text.startsWith(one)) || /@example[.]com|vaga_(test|live)_|^\{|^operator$/.test(text);
    const described = new Set<string>();
    const paths = [...pathsOf(pages, 'get').map(fill), '/account', '/nothing'].filter(
      (path) => !/undefined|[.]csv$/.test(path),
    );
    for (const path of paths) {
      await prepareDecision(acme.id, path);
      most = 0;
      const page = await client.get(path);
      expect(most, path).to.equal(1);
      expect(page.headers, path).to.include({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(page.text, path).to.match(/^<!DOCTYPE html><html lang="en">/);
      expect(has(page, 'style, [style], script:not([src]), [onclick]'), path).to.equal(false);
      const { document } = page;
      const meta = (name: string) => document.querySelector(`meta[name=${name}]`)?.getAttribute('content') ?? '';
      expect(meta('robots'), path).to.equal('noindex');
      expect(document.title.startsWith(meta('description').split(':')[0] ?? ''), path).to.equal(true);
      expect(meta('description'), path).to.match(/^[^:]+: .{20,}\.$/);
      described.add(meta('description'));
      expect(page.text, 'a text with an empty place').to.not.match(/\{\{\w+\}\}/);
      const leadsTo = new Map<string, string>();
      for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
        const [words, href] = [(link.textContent ?? '').replace(/\s+/g, ' ').trim(), link.getAttribute('href') ?? ''];
        const unclear = /^(change|older|next|previous|more|here|replace|revoke|keep it|)$/i;
        expect(words, `${path} ${href}`).not.to.match(unclear);
        expect(href, `${path} ${words}`).to.match(/^[/?#]|^https:|^mailto:/);
        expect(link.hasAttribute('aria-label'), words).to.equal(false);
        // Two companies or jobs may have the same name, and requests the same operation.
        if (/^\/admin\/(companies|requests)\/\d/.test(href)) continue;
        expect(leadsTo.get(words) ?? href, `${path} ${words}`).to.equal(href);
        leadsTo.set(words, href);
      }
      const portuguese = wordsOf(await client.get(path, { 'Accept-Language': 'pt' }));
      const untranslated = [...wordsOf(page)].filter((text) => portuguese.has(text) && !isData(text));
      expect(untranslated, path).to.deep.equal([]);
    }
    pool.off('acquire', note);
    expect(described.size).to.equal(paths.length);
  });

it('every text of a filter refuses a secret, in both languages, and the page links to no address that has it', async () => {
  const { acme, fill } = await newSubject();
  const filters = { dashboard: 0, admin: 0 };
  for (const [pages, client] of [
    [dashboardPages, await asPerson(acme)],
    [adminPages, await asAdministrator()],
  ] as const)
    for (const path of pathsOf(pages, 'get')
      .map(fill)
      .filter((one) => !/undefined|[.]csv$/.test(one))) {
      const { document } = await client.get(path);
      for (const { name } of document.querySelectorAll<HTMLInputElement>('search input[type=text]')) {
        const address = `${path}?${new URLSearchParams({ [name]: `(${secret})` })}`;
        const page = await client.get(address);
        expect(page.status, address).to.equal(422);
        expect(textOf(page, `#${name}-error`), address).to.contain(secretMessage);
        expect(has(page, `main a[href*="${secret}"]`), address).to.equal(false);
        const portuguese = await client.get(address, { 'Accept-Language': 'pt' });
        expect(textOf(portuguese, `#${name}-error`), address).to.match(/credencial.* revogue-a/);
        filters[pages === adminPages ? 'admin' : 'dashboard'] += 1;
      }
    }
  expect(filters.dashboard).to.be.greaterThan(2);
  expect(filters.admin).to.be.greaterThan(5);
});

describe('every route of the administration', () => {
  const nothing = ['999999999999999999', '0', 'x', '9'.repeat(40)];

  it('is 404 for an unknown company, and for something of another company or environment', async () => {
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
      for (const path of pathsOf(adminPages, method).filter((one) => /:(company|category|plan)/.test(one))) {
        for (const id of nothing) await expectNothing(method, fill(path.replace(/:(company|category|plan)/, id)));
        if (!/:(job|credential|email)/.test(path)) continue;
        await expectNothing(method, fill(path.replace(':company', String(other.id))));
        if (path.includes(':job')) await expectNothing(method, fill(path.replace(':environment', 'sandbox')));
      }
    const [user, administrator] = [await newUser(acme), await newAdministrator()].map(encodeURIComponent);
    for (const path of pathsOf(adminPages, 'get').filter((one) => one.includes(':email')))
      for (const email of ['nobody', 'nobody@example.com', path.includes(':company') ? administrator : user])
        await expectNothing('get', fill(path.replace(':email', String(email))));
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

/** The forms of a page that have only a button. */
const buttonsIn = ({ document }: Page): string[] =>
  [...document.querySelectorAll('main form[method=post]:not(:has(input:not([type=hidden]), select, textarea))')].map(
    (form) => form.getAttribute('action') ?? '',
  );

for (const [portal, pages] of [
  ['company', dashboardPages],
  ['administrator', adminPages],
] as const)
  it(`an action is a button only if its form asks for nothing: ${portal}`, async () => {
    const { acme, fill, ref } = await newSubject();
    await denyJob(actionContext(), { ...ref, reason: 'Falta o salário.' });
    const client = portal === 'company' ? await asPerson(acme) : await asAdministrator();
    const [lists, forms] = [true, false].map((isList) =>
      pathsOf(pages, 'get').filter(
        (path) => !/:request|[.]csv$/.test(path) && isList !== pathsOf(pages, 'post').includes(path),
      ),
    );
    const opened = (forms ?? []).map((path) => new RegExp(`^${client.base}${path.replace(/:\w+/g, '[^/]+')}(\\?.*)?$`));
    const seen = new Set<RegExp>();
    for (const path of lists ?? [])
      for (const action of buttonsIn(await client.get(fill(path)))) {
        const form = opened.find((one) => one.test(action));
        if (!form || seen.has(form)) continue;
        seen.add(form);
        expect(
          has(await client.get(action), 'main form :is(input:not([type=hidden]), select, textarea)'),
          action,
        ).to.equal(false);
      }
    expect(seen.size).to.be.above(0);
  });

const routes = { administrator: adminPages.routes, company: dashboardPages.routes };
const pathOf = (portal: Portal, operation: Declaration): string | undefined =>
  routes[portal].find((route) => route.operation === operation)?.path;
const lastEntry = () => db().auditEntry.findFirst({ orderBy: { id: 'desc' } });

describe('the pages of people’s operations', () => {
  let administrator: PageClient;
  let asThem: () => Context;
  before(async () => {
    administrator = await asAdministrator();
    const { id } = await db().administrator.findFirstOrThrow({ orderBy: { id: 'desc' } });
    asThem = () => actionContext({ kind: 'administrator', id });
  });

  it('exist for every change that an administrator may make', () => {
    for (const operation of declarations)
      if (operation.records && operation.by.includes('administrator'))
        expect(pathOf('administrator', operation), operation.command).to.be.a('string');
  });

  /** The page of an operation that has something to do, its fields, and the typed values. */
  async function openForm(portal: Portal, operation: Declaration, route: string) {
    const { companyId, input } = await newWork(operation, operation.command === 'job undo' ? asThem : undefined);
    const client = portal === 'company' ? await asPerson(new TestCompany(companyId)) : administrator;
    const path = route.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent(String(input[name] ?? input[`${name}Id`] ?? companyId)),
    );
    const page = await client.get(path);
    expect(page.status).to.equal(200);
    const isSeen = ({ name, kind }: Field) => kind !== 'version' && has(page, `main [name=${name}]`);
    const fields = fieldsOf(operation.input).filter(isSeen);
    const texts = textsOf(input);
    const typed: Record<string, string> = { currentPassword: password };
    for (const field of fields)
      if (field.name in texts || has(page, `#${field.name}[required]`) || field.isRequired || field.name === 'reason')
        typed[field.name] = texts[field.name] ?? rightOf(field)[1];
    const noun = storedResources.find(({ create, update }) => create === operation || update === operation);
    for (const [name, value] of Object.entries(input.patch ?? input.fields ?? {}))
      typed[`${noun?.resource.noun ?? 'job'}.${name}`] = String(value);
    return { client, path, fields, typed };
  }

  const changes = declarations.filter(({ records }) => records);
  const keeping = sample(changes, 8);
  for (const portal of ['administrator', 'company'] as const)
    for (const operation of changes) {
      const { records, dangerous, title, command } = operation;
      const route = pathOf(portal, operation);
      if (!route || records === undefined) continue;

      describe(`${portal}, ${command}`, () => {
        let form: Awaited<ReturnType<typeof openForm>>;
        let page: Page;
        before(async () => {
          form = await openForm(portal, operation, route);
        });
        beforeEach(async () => {
          // Failed sign-ins are forgotten after each test.
          if (command.endsWith(' unlock')) form = await openForm(portal, operation, route);
          page = await form.client.get(form.path);
        });

        it('refuses input that breaks a rule, with the command’s message', async () => {
          const { client, path, fields, typed } = form;
          const before = await lastEntry();
          const wrongly = fields.flatMap((field) =>
            wrong[field.kind].flatMap(([value, text]) => {
              const message = messageFor(operation, field.name, value);
              // An empty field that may be missing is missing.
              return message === undefined || (text === '' && !field.isRequired) ? [] : [{ ...field, text, message }];
            }),
          );
          if (has(page, '[name=currentPassword]'))
            wrongly.push({ name: 'currentPassword', kind: 'password', text: 'errada', message: 'password' } as never);
          for (const { name, kind, text, message } of wrongly) {
            page = await client.submit(page, path, { ...typed, [name]: text });
            const about = `${name}: ${text.slice(0, 30)}`;
            expect(page.status, about).to.equal(422);
            expect(textOf(page, `#${name}-error`).replace(/(?<=\d),(?=\d{3})/g, ''), about).to.contain(message);
            // Regions are many boxes.
            const marked = `#${name}[aria-invalid=true][aria-describedby~=${name}-error]`;
            if (kind !== 'ids') expect(has(page, marked), about).to.equal(true);
            for (const other of fields)
              if (other.name !== name && other.name in typed && ['line', 'text', 'email', 'day'].includes(other.kind))
                expect(valueIn(page, `#${other.name}`), `${about}, ${other.name} is kept`).to.equal(typed[other.name]);
            expect(has(page, '[type=password][value]'), about).to.equal(false);
          }
          expect(await lastEntry()).to.deep.equal(before);
        });

        const mayKeep = keeping.includes(operation) ? it : () => undefined;
        mayKeep(
          'keeps the typed values in another language, after another sign-in and after the session has ended or its cookie is gone',
          async () => {
            const { client, path, fields, typed } = form;
            if (fields.length === 0) return;
            const before = await lastEntry();
            const kept = fields.filter(({ name }) =>
              has(page, `main :is(input:not([type=checkbox]), textarea)#${name}`),
            );
            const expectKept = (shown: Page, status: number, about: string): void => {
              expect(shown.status, about).to.equal(status);
              for (const { name, kind } of kept)
                if (kind !== 'password')
                  expect(valueIn(shown, `main #${name}`), `${about}, ${name}`).to.equal(
                    typed[name] ?? valueIn(page, `#${name}`),
                  );
              expect(has(shown, '[type=password][value], [type=hidden][name*=assword]'), about).to.equal(false);
            };
            const portuguese = await client.submit(page, path, { ...typed, language: 'pt' });
            expect(portuguese.document.documentElement.lang).to.equal('pt-PT');
            expectKept(portuguese, 200, 'Portuguese');
            const english = await client.submit(portuguese, path, { language: 'en' });
            expectKept(english, 200, 'English');
            const outdated = await client.submit(english, path, { ...typed, _csrf: 'x' });
            expectKept(outdated, 403, 'another sign-in');
            expect(textOf(outdated, '[role=alert]')).to.include('You are signed in again');
            const ended = PageClient.copyOf(client);
            for (const name of ['vaga_session', 'vaga_admin_session'])
              if (ended.cookies.has(name)) ended.cookies.set(name, 's%3Aended.x');
            const asked = await ended.submit(outdated, path, typed);
            expect([asked.status, has(asked, '[name=currentPassword]')]).to.deep.equal([403, false]);
            expect(has(asked, '[type=hidden][name*=assword]')).to.equal(false);
            const email = textOf(page, '.person a').replace(/^.*: /, '');
            const refused = await ended.submit(asked, path, { email, password: 'errada' });
            const signedIn = await ended.submit(refused, path, { email, password });
            expectKept(signedIn, 403, 'ended session');
            expect(textOf(signedIn, '[role=alert]')).to.include('your entries are kept');
            const begun = PageClient.copyOf(client);
            begun.cookies.set(client.base === '/admin' ? 'vaga_admin_session' : 'vaga_session', 's%3Aended.x');
            const open = await begun.submit(signedIn, path, typed);
            await begun.signIn(email);
            expectKept(await begun.submit(open, path, { email, password }), 403, 'signed in in another tab');
            expect(await lastEntry()).to.deep.equal(before);
            // Without the cookie it may be another site's form, unless the browser says that it is ours.
            expect((await new PageClient(portal).submit(page, path, typed)).status).to.equal(303);
            const visitor = new PageClient(portal, undefined, { 'Sec-Fetch-Site': 'same-origin' });
            const without = await visitor.submit(page, path, typed);
            expectKept(await visitor.submit(without, path, { email, password }), 403, 'without a cookie');
            expect(await lastEntry()).to.deep.equal(before);
          },
        );

        it('asks, runs, says so and records who did it', async () => {
          const { client, path, typed } = form;
          expect(textOf(page, 'h1')).to.contain(title);
          expect([has(page, '.danger'), has(page, '.alert')]).to.deep.equal(Array(2).fill(dangerous !== undefined));
          const answer = await client.submit(page, path, typed);
          // A secret has its own page; a file says nothing else.
          if (answer.headers['content-disposition'] === undefined) {
            const done = answer.status === 200 ? answer : await client.follow(answer);
            expect(textOf(done, '.notice, #secret'))
              .to.match(/\w/)
              .and.not.match(/undefined|\{\{/)
              .and.not.match(/\b(account|category|company|credential|job|plan) \d/i);
          }
          const entry = await lastEntry();
          expect([entry?.action, entry?.actor.replace(/:.*/, '')]).to.deep.equal([
            records,
            portal === 'company' ? 'user' : portal,
          ]);
        });
      });
    }
});
