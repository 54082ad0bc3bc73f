import type { Server } from 'node:http';
import { hash as hashOf } from '@node-rs/argon2';
import { expect } from 'chai';
import { JSDOM } from 'jsdom';
import supertest, { type Response } from 'supertest';
import { findAccounts, namedMax } from '../../src/auth/accounts-sql.ts';
import type { Portal } from '../../src/domain/actor.ts';
import { grantComplimentary } from '../../src/operations/companies/people/grant-complimentary.ts';
import { endMaintenance } from '../../src/operations/maintenance/people/set-maintenance.ts';
import { addPlan } from '../../src/operations/plans/people/change-plan.ts';
import { storedResources } from '../../src/operations/stored/stored-resources.ts';
import { unseenMs } from '../../src/web/form.ts';
import { portals } from '../../src/web/portals.ts';
import { i18n } from '../../src/web/texts/language.ts';
import { keptConnections } from './address.ts';
import {
  actionContext,
  clock,
  db,
  freshEmail,
  later,
  newCompany,
  newJob,
  server,
  type TestCompany,
} from './fixtures.ts';
import type { Headers } from './rest-client.ts';
import { addStored } from './stored-samples.ts';
import { times } from './times.ts';

export const password = 'uma-senha-para-testes';

let hash: Promise<string> | undefined;

/** What an account has once `password` was set, as if by an older version whose hashes took no time. All share one hash. */
async function withPassword() {
  hash ??= hashOf(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  return { passwordHash: await hash, createdAt: clock.now() };
}

/** Stores an account with `password`; returns its e-mail address. */
export async function newUser({ id: companyId }: TestCompany, role: 'main' | 'sub' = 'main'): Promise<string> {
  const email = freshEmail();
  await db().user.createMany({ data: [{ companyId, email, role, ...(await withPassword()) }] });
  return email;
}

/** Creates accounts with `password` of one address in more companies than are named; returns the address. */
export async function newUserOfMany(): Promise<string> {
  const email = freshEmail();
  const companies = await Promise.all(times(namedMax + 1, () => newCompany()));
  const stored = { ...(await withPassword()), email, role: 'main' } as const;
  await db().user.createMany({ data: companies.map(({ id }) => ({ ...stored, companyId: id })) });
  return email;
}

/** The account of an address, of which there is one at most. */
export const accountAt = async (portal: Portal, email: string) => (await findAccounts(db(), portal, email))[0] ?? null;

export async function newAdministrator(): Promise<string> {
  const email = freshEmail();
  await db().administrator.createMany({ data: [{ email, ...(await withPassword()) }] });
  return email;
}

/** Many pages share a jsdom window, which costs more than a page. Not all of them, because each page leaves listeners on its window. */
const pagesPerWindow = 50;
let parsedPages = 0;
let parser: DOMParser;

function parse(html: string): Document {
  if (parsedPages++ % pagesPerWindow === 0) parser = new new JSDOM('').window.DOMParser();
  return parser.parseFromString(html, 'text/html');
}

/** The texts that pages have looked up, in either language. */
const lookedUp = new Set<string>();
let pagesAsked = 0;
i18n.t = new Proxy(i18n.t, {
  apply: (t, self, [text, ...options]) => {
    if (pagesAsked > 0) lookedUp.add(text);
    return Reflect.apply(t, self, [text, ...options]);
  },
});

after('every text that the pages of these tests have shown is in the Portuguese catalogue', () => {
  const catalogue = i18n.getResourceBundle('pt-PT', 'translation');
  const missing = [...lookedUp].filter((text) => !(text in catalogue || /^(error[.].*|REST|MCP)$/.test(text)));
  expect(missing).to.deep.equal([]);
});

export interface Page extends Response {
  readonly document: Document;
}

/** A browser without scripts: it keeps cookies and sends the forms of a page with typed values. */
export class PageClient {
  readonly #server: Server | string;
  readonly #headers: Headers;
  readonly cookies = new Map<string, string>();
  readonly base: string;

  constructor(portal: Portal, at: Server | string = server(), headers: Headers = {}) {
    this.base = portals[portal].base;
    this.#server = at;
    this.#headers = headers;
  }

  /** Signed in, as a user of a company or an administrator. */
  static async signedIn(portal: Portal, email: string, at?: Server): Promise<PageClient> {
    const client = new PageClient(portal, at);
    // One test may sign in more people than an address may in a minute.
    await db().$executeRaw`DELETE FROM rate_limits WHERE key LIKE 'vaga:sign-in-tries:%'`;
    const answer = await client.signIn(email);
    if (answer.status !== 303) throw new Error(`sign-in answered ${answer.status}`);
    return client;
  }

  /** With the cookies of another client, on the same or another server. */
  static copyOf({ base, cookies }: PageClient, at?: Server | string): PageClient {
    const copy = new PageClient(base === portals.company.base ? 'company' : 'administrator', at);
    for (const [name, value] of cookies) copy.cookies.set(name, value);
    return copy;
  }

  get cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  signIn(email: string, typed: string = password): Promise<Page> {
    return this.send('/sign-in', { email, password: typed });
  }

  /** Loads the page of a form and submits it. */
  async send(path: string, typed: Record<string, string> = {}): Promise<Page> {
    return this.submit(await this.get(path), path, typed);
  }

  /** `path` is relative to the portal's base, or absolute if it begins with it. */
  get(path: string, headers: Headers = {}): Promise<Page> {
    return this.#send('GET', path, undefined, headers);
  }

  /** Posts these fields only. */
  post(path: string, fields: Record<string, string>, headers: Headers = {}): Promise<Page> {
    return this.#send('POST', path, new URLSearchParams(fields).toString(), headers);
  }

  /** Posts an encoded form unchanged. */
  postRaw(path: string, body: string): Promise<Page> {
    return this.#send('POST', path, body, {});
  }

  /** Submits the page's form for that action: its own values, overridden by the typed ones. */
  submit({ document }: Page, action: string, typed: Record<string, string> = {}): Promise<Page> {
    const wanted = this.#whole(action).replace(/\?.*/, '');
    const selector = `form[method=post]:is([action="${wanted}"], [action^="${wanted}?"])`;
    const form = document.querySelector<HTMLFormElement>(selector);
    if (!form) throw new Error(`the page has no form for ${action}`);
    const fields = new URLSearchParams();
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select, textarea')) {
      const chosen = !('checked' in field) || !['radio', 'checkbox'].includes(field.type) || field.checked;
      if (field.name && chosen) fields.append(field.name, field.value);
    }
    for (const [name, value] of Object.entries(typed)) fields.set(name, value);
    const send = () => this.#send('POST', form.getAttribute('action') ?? '', fields.toString(), {});
    const shownAt = fields.get('shownAt');
    if (shownAt === null || 'shownAt' in typed) return send();
    // A person looks at a page before they decide. Of two posts at once each brings time of its own.
    return later(Math.max(Number(shownAt) + unseenMs - clock.now().getTime(), unseenMs), send);
  }

  /** Presses the button for the other language. */
  switchLanguage({ document }: Page): Promise<Page> {
    const form = document.querySelector('form[action="/language"]');
    if (!form) throw new Error('the page has no language switch');
    const value = (selector: string) => form.querySelector<HTMLInputElement>(selector)?.value ?? '';
    const fields = { language: value('button'), next: value('[name=next]') };
    return this.#send('POST', '/language', new URLSearchParams(fields).toString(), {}, '');
  }

  /** Follows a redirect. */
  follow(answer: Page): Promise<Page> {
    return this.get(answer.headers.location ?? '');
  }

  #whole(path: string): string {
    return new RegExp(`^${this.base}(?![\\w-])`).test(path) ? path : `${this.base}${path === '/' ? '' : path}`;
  }

  async #send(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    headers: Headers,
    base?: '',
  ): Promise<Page> {
    const whole = base === undefined ? this.#whole(path) : path;
    const call = supertest(this.#server)[method === 'GET' ? 'get' : 'post'](whole).redirects(0);
    // A service in a process of its own may restart between two requests.
    if (typeof this.#server !== 'string') call.agent(keptConnections);
    if (body !== undefined) call.type('form');
    call.set({ Accept: 'text/html', ...this.#headers, ...headers });
    if (this.cookies.size > 0) call.set('Cookie', this.cookie);
    if (body !== undefined) call.serialize((text: string) => text).send(body);
    pagesAsked += 1;
    const response = await Promise.resolve(call).finally(() => (pagesAsked -= 1));
    if (method === 'POST' && response.text?.includes('action="/language"'))
      throw new Error(`the answer to ${whole} has a language switch that leaves it`);
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    let parsed: Document | undefined;
    // Parsed on first use: parsing takes longer than most pages.
    return Object.defineProperty(response, 'document', {
      get: () => (parsed ??= parse(response.text)),
    }) as Page;
  }
}

/** The visible text of a page, with single spaces. */
export const textOf = ({ document }: Page, selector = 'body'): string =>
  (document.querySelector(selector)?.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The texts of all elements that match, with single spaces. */
export const textsOf = ({ document }: Page, selector: string): string[] =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => (textContent ?? '').replace(/\s+/g, ' ').trim());

/** The value of a field; undefined if the page has no such field. */
export const valueIn = ({ document }: Page, selector: string): string | undefined =>
  document.querySelector<HTMLInputElement>(selector)?.value;

export const has = ({ document }: Page, selector: string): boolean => document.querySelector(selector) !== null;

/** The address of the first link that matches; empty if there is none. */
export const linkIn = ({ document }: Page, selector: string): string =>
  document.querySelector(selector)?.getAttribute('href') ?? '';

export const asPerson = async (company: TestCompany, role: 'main' | 'sub' = 'main', at?: Server): Promise<PageClient> =>
  PageClient.signedIn('company', await newUser(company, role), at);

export const asAdministrator = async (at?: Server): Promise<PageClient> =>
  PageClient.signedIn('administrator', await newAdministrator(), at);

/** The CSRF token of the page's forms. */
export const tokenIn = ({ document }: Page): string =>
  document.querySelector<HTMLInputElement>('[name=_csrf]')?.value ?? '';

/** Ends maintenance, also for the main app, which may know the mode of up to a second ago. It reads it again for the next request. */
export async function leaveMaintenance(): Promise<void> {
  await endMaintenance(actionContext(), {});
  await later(-10_000, () => new PageClient('company').get('/sign-in'));
}

const ordinary = { productionApprovedAt: new Date(), productionRequestedAt: null, suspendedAt: null };

/** The state of a company that a form's decision changes, by the end of the form's path. */
const decidedBy: Readonly<Record<string, object>> = {
  approve: { productionApprovedAt: null },
  reinstate: { suspendedAt: new Date() },
  refuse: { productionRequestedAt: new Date() },
  request: { productionApprovedAt: null },
};

/** Puts a company into the state that the form of a path changes: in another one, the form has nothing to decide. */
export async function prepareDecision(companyId: bigint, path: string): Promise<void> {
  const form = path.replace(/.*[/]/, '');
  if (form === 'end-grant') await grantComplimentary(actionContext(), { companyId, limit: 5 });
  await db().company.update({ where: { id: companyId }, data: { ...ordinary, ...decidedBy[form] } });
}

/** A company with a production job, a credential and whatever else the contract stores, and the path of a route about them. */
export async function newSubject() {
  const { acme, id: job, ref } = await newJob();
  const { credentialId: credential } = await acme.issue('sandbox', 'read');
  const people = { company: await newUser(acme, 'sub'), administrator: await newAdministrator() };
  const params: Record<string, unknown> = {
    company: acme.id,
    environment: 'production',
    job,
    credential,
    category: 101,
    plan: (await addPlan(actionContext(), { name: `Plano de ${acme.id}`, limit: 30 })).id,
  };
  for (const { resource, word } of storedResources) params[word] = await addStored(resource, acme.id, 'production');
  const fill = (path: string): string => {
    const email = encodeURIComponent(people[path.startsWith('/administrators') ? 'administrator' : 'company']);
    return path.replace(/:(\w+)/g, (_, name: string) => String(name === 'email' ? email : params[name]));
  };
  return { acme, job, ref, fill };
}
