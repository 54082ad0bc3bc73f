import type { Request, RequestHandler, Response } from 'express';
import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { type AdministratorPerson, type CompanyPerson, csrfField, type PageSession } from '../auth/page-session.ts';
import type { FormAnswer, UndoForm } from '../auth/sent-form.ts';
import type { PasswordCheck } from '../auth/sign-in.ts';
import type { Context } from '../context.ts';
import type { Portal } from '../domain/actor.ts';
import type { Environment } from '../domain/environment.ts';
import { type ApiError, forbidden, refusal } from '../domain/errors.ts';
import type { Shape } from '../domain/field-rules.ts';
import type { DataFile, Declaration } from '../operations/kit/declare.ts';
import type { FormLimit } from '../rate-limit/request-limits.ts';
import type { SignInLimits } from '../rate-limit/sign-in-limits.ts';
import type { CompanyQueue } from '../server/company-queue.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { type FieldErrors, Form } from './form.ts';
import type { FormRoom } from './form-room.ts';
import {
  languageCodes,
  languageCookie,
  languageOf,
  languages,
  languageVary,
  type Translate,
} from './texts/language.ts';

export interface PageDeps extends AdapterDeps {
  /** For sessions, sign-ins and the administration. A company's pages use other connections. */
  readonly db: Context['db'];
  readonly signInLimits: SignInLimits;
  readonly formLimit: FormLimit;
  readonly formRoom: FormRoom;
  /** Has one place for each network address. */
  readonly signInQueue: CompanyQueue;
  /** Signs the session cookies. */
  readonly sessionSecrets: readonly string[];
}

/** A person signed in to one of the portals. */
export type Person = CompanyPerson | AdministratorPerson;

/** What the layout and the components know about the request for a page. */
export interface PageRequest<P extends Person = Person> {
  readonly portal: Portal;
  readonly method: string;
  /** Translates into the reader's language. */
  t: Translate;
  readonly timeZone: string;
  readonly support: AdapterDeps['support'];
  readonly arrivedAt: Date;
  /** The time at which the page is judged. On the way to its handler, a request may wait. */
  readonly now: Date;
  readonly clock: () => Date;
  /** The page's own path, without the query. */
  readonly path: string;
  /** The path and query. */
  readonly address: string;
  /** The query, without NUL characters, which PostgreSQL's text type cannot store. */
  readonly query: URLSearchParams;
  /** Undefined where no session is loaded. Such pages show no PostForm. */
  session?: PageSession;
  maintenance?: Awaited<ReturnType<PageDeps['auth']['maintenance']['current']>>;
  /** The signed-in person. */
  person?: P | undefined;
}

/** Stores the PageRequest of a request, and sets the headers that name the reader's language. */
export const beginPage =
  (portal: Portal, { timeZone, support, clock }: Pick<PageDeps, 'timeZone' | 'support' | 'clock'>): RequestHandler =>
  (request, response, next) => {
    const { t } = languages[languageOf(request)];
    const path = request.baseUrl + request.path.replace(/\/$/, '');
    const address = request.originalUrl;
    const arrivedAt = clock();
    const time = { timeZone, arrivedAt, now: arrivedAt, clock };
    const { method } = request;
    const begun: PageRequest = { portal, method, t, support, ...time, path, address, query: queryOf(address) };
    response.locals.page = begun;
    response.set({ 'Content-Language': t.tag, Vary: languageVary });
    next();
  };

function queryOf(address: string): URLSearchParams {
  const at = address.indexOf('?');
  const sent = new URLSearchParams(at === -1 ? '' : address.slice(at + 1));
  return new URLSearchParams([...sent].map(([name, value]) => [withoutNul(name), withoutNul(value)]));
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

const yearMs = 31_536_000_000;

/** If a form asks for a language, answers in that language and remembers it in a cookie. */
export const switchLanguage: RequestHandler = (request, response, next) => {
  const language = languageCodes.find((code) => code === new Form(request).text('language'));
  if (!language) return next();
  const { t } = languages[language];
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: request.secure } as const;
  response.cookie(languageCookie, language, { ...options, maxAge: yearMs }).set('Content-Language', t.tag);
  pageRequestOf(response).t = t;
  next();
};

/** Redirects to the page on which the reader switched the language. */
export const returnToPage: RequestHandler = (request, response) =>
  response.redirect(303, returnPath(new Form(request).text('next')));

/** Matches a path and query without a host, as browsers send them. Parsing a host may take quadratic time in its length. */
const ownAddress = /^\/(?![/\\])[\x21-\x7e]{0,8191}$/;

/** The path and query of one of our pages, as browsers read the address. Any other becomes the front page: it would be an open redirect. */
export function returnPath(next: string): string {
  if (!ownAddress.test(next)) return '/';
  const { pathname, search } = new URL(next, 'http://localhost');
  return /^\/(docs|(dashboard|admin)(\/.*)?)?$/.test(pathname) ? pathname + search : '/';
}

/** Whether a person may not carry out this operation now, because their company is suspended. */
export const isSuspendedFor = (person: Person | undefined, { records, whileSuspended = false }: Declaration): boolean =>
  person !== undefined && 'company' in person && person.company.suspended && records !== undefined && !whileSuspended;

/** The value that beginPage stored. */
export const pageRequestOf = <P extends Person>(response: Response): PageRequest<P> => response.locals.page;

export function sessionOf(response: Response): PageSession {
  const { session } = pageRequestOf(response);
  if (!session) throw new Error('no session was loaded');
  return session;
}

/** Whether a request may change something, as any method but GET and HEAD may. */
export const isForm = ({ method }: Pick<Request, 'method'>): boolean => method !== 'GET' && method !== 'HEAD';

/** Whether a form lacks the CSRF token of its browser's session. */
export const isOutdated = (request: Request, response: Response): boolean =>
  isForm(request) && !sessionOf(response).hasToken(new Form(request).text(csrfField));

export const requireCsrfToken: RequestHandler = (request, response, next) => {
  if (!isOutdated(request, response)) return next();
  const { t } = pageRequestOf(response);
  throw forbidden('permission', t('This form is out of date. Go back, reload the page and send it again.'));
};

export const PageRequestContext = createContext<PageRequest | undefined>(undefined);

export function usePageRequest(): PageRequest {
  const request = useContext(PageRequestContext);
  if (!request) throw new Error('a component was rendered outside of a page');
  return request;
}

/** `t` in the reader's language. */
export const useT = (): Translate => usePageRequest().t;

/** The context of a page's handler. Passed to an operation, it makes the signed-in person the actor. */
export interface PageContext<P extends Person = Person> extends Context, PageRequest<P> {
  readonly timeZone: string;
  readonly person: P;
  readonly session: PageSession;
  /** The service's public address without a trailing slash. */
  readonly origin: string;
  readonly params: Params;
  readonly form: Form;
  /** Checks the person's own password. After too many failures, returns `throttled`. */
  readonly checkPassword: (password: string) => Promise<PasswordCheck>;
}

export type DashboardContext = PageContext<CompanyPerson>;
export type AdminContext = PageContext<AdministratorPerson>;

export interface PageContent {
  readonly status: number;
  readonly title: string;
  readonly content: VNode;
  /** The path that the menu marks as current and that links within the page use. Defaults to the request's own path. */
  readonly path?: string | undefined;
}

type Redirect = Extract<FormAnswer, { kind: 'redirect' }>;

/** A page, a redirect (303) whose notice the next page shows, HTML that is sent again if the form is repeated, or a file to download. */
export type PageAnswer =
  | ({ readonly kind: 'page' } & PageContent)
  | Exclude<FormAnswer, { kind: 'file' }>
  | ({ readonly kind: 'file' } & DataFile);

/** Makes a page. Its status is 422 if there are errors, otherwise 200. */
export const page = (title: string, content: VNode, errors: FieldErrors = {}, path?: string): PageAnswer => ({
  kind: 'page',
  status: Object.keys(errors).length > 0 ? 422 : 200,
  title,
  content,
  path,
});

export const redirect = (to: string, notice?: string, undo?: UndoForm): Redirect => ({
  kind: 'redirect',
  to,
  ...(notice !== undefined && { notice }),
  undo,
});

/** One address below a portal's base. Every route requires a signed-in person. */
export interface Route<P extends Person> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handler: (ctx: PageContext<P>) => PageAnswer | Promise<PageAnswer>;
  /** Shows the submitted form again: in another language, after signing in, or with its errors. Changes nothing. */
  readonly again?: ((ctx: PageContext<P>, errors: FieldErrors) => PageAnswer | Promise<PageAnswer>) | undefined;
  /** The operation that the page's form carries out. */
  readonly operation?: Declaration | undefined;
  /** The schema of the resource that the form edits, such as a job. It limits the size of the form. */
  readonly stored?: Shape | undefined;
  /** Set for a form that only ends sessions. It must work even if a thief has used up the person's form limit. */
  readonly isUncounted?: boolean;
}

const routeOf =
  (method: Route<Person>['method']) =>
  <P extends Person>(
    path: string,
    handler: Route<P>['handler'],
    more?: Pick<Route<P>, 'again' | 'operation' | 'stored' | 'isUncounted'>,
  ): Route<P> => ({ method, path, handler, ...more });

export const get = routeOf('get');
export const post = routeOf('post');

/** The parts that differ between the portals. */
export interface PortalPages<P extends Person> {
  readonly portal: Portal;
  readonly findPerson: (db: Context['db'], id: bigint) => Promise<P | undefined>;
  readonly routes: readonly Route<P>[];
}

export const pageNotFound = (): ApiError => refusal(404, 'path', 'There is nothing at this address.');

const id = /^[1-9]\d{0,17}$/;

/** Returns the id that a text is, or undefined. */
export const idOf = (text: string): bigint | undefined => (id.test(text) ? BigInt(text) : undefined);

/** An id in the query, or undefined. */
export const idInQuery = (query: URLSearchParams, name: string): bigint | undefined => idOf(query.get(name) ?? '');

type Params = Readonly<Record<string, string>>;

/** An id in the path. Throws 404 if the parameter is not an id. */
export function idIn(params: Params, name: string): bigint {
  const text = params[name] ?? '';
  if (!id.test(text)) throw pageNotFound();
  return BigInt(text);
}

/** The environment in the path. Throws 404 if the parameter is not an environment. */
export function environmentIn({ environment }: Params): Environment {
  if (environment !== 'sandbox' && environment !== 'production') throw pageNotFound();
  return environment;
}

/** The environment in a list's query: production, unless the query names the sandbox. */
export const environmentAsked = (query: URLSearchParams): Environment =>
  query.get('environment') === 'sandbox' ? 'sandbox' : 'production';

/** A select field's options: value and text. */
export type Options<T extends string = string> = readonly (readonly [T, string])[];
