import type { VNode } from 'preact';
import type { AdministratorPerson, CompanyPerson } from '../auth/person.ts';
import type { PasswordCheck } from '../auth/sign-in.ts';
import type { Context } from '../context.ts';
import type { Portal } from '../domain/actor.ts';
import { type ApiError, refusal } from '../domain/errors.ts';
import type { Operation } from '../operations/declare.ts';
import type { SignInLimits } from '../rate-limit/sign-in-limits.ts';
import type { AdapterDeps } from '../server/deps.ts';
import type { FieldErrors, Form } from './form.ts';
import type { PageSession } from './page-session.ts';
import type { Translate } from './texts/t.ts';

export interface PageDeps extends AdapterDeps {
  /** For sessions, sign-ins and the administration; a company's pages have its own connections. */
  readonly db: Context['db'];
  readonly signInLimits: SignInLimits;
  /** Signs the session cookies. */
  readonly sessionSecret: string;
}

/** A person who has signed in to one of the portals. */
export type Person = CompanyPerson | AdministratorPerson;

/** What a page's handler gets. As an operation's context it acts in the person's name. */
export interface PageContext<P extends Person> extends Context {
  readonly portal: Portal;
  readonly person: P;
  readonly session: PageSession;
  /** In the person's language. */
  readonly t: Translate;
  /** The service's public address without a trailing slash. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: Form;
  /** Checks the person's own password. Throttled after ten failures in 15 minutes. */
  readonly checkPassword: (password: string) => Promise<PasswordCheck>;
}

export type DashboardContext = PageContext<CompanyPerson>;
export type AdminContext = PageContext<AdministratorPerson>;

export interface PageContent {
  readonly status: number;
  readonly title: string;
  readonly content: VNode;
}

/** 303; the notice is shown on the page that follows. */
export interface Redirect {
  readonly kind: 'redirect';
  readonly to: string;
  readonly notice: string | undefined;
}

export type PageAnswer = ({ readonly kind: 'page' } & PageContent) | Redirect;

/** A page; with field errors its status is 422. */
export const page = (title: string, content: VNode, errors: FieldErrors = {}): PageAnswer => ({
  kind: 'page',
  status: Object.keys(errors).length > 0 ? 422 : 200,
  title,
  content,
});

export const redirect = (to: string, notice?: string): Redirect => ({ kind: 'redirect', to, notice });

type Handler<P extends Person> = (ctx: PageContext<P>) => PageAnswer | Promise<PageAnswer>;

/** One address below a portal's base. Every route requires a signed-in person. */
export interface Route<P extends Person> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handler: Handler<P>;
  /** What a person reads or does there. */
  readonly operations: readonly Operation[];
}

export const get = <P extends Person>(
  path: string,
  handler: Handler<P>,
  ...operations: readonly Operation[]
): Route<P> => ({ method: 'get', path, handler, operations });

export const post = <P extends Person>(path: string, handler: Handler<P>): Route<P> => ({
  method: 'post',
  path,
  handler,
  operations: [],
});

/** Everything that only one portal has. */
export interface PortalPages<P extends Person> {
  readonly portal: Portal;
  readonly findPerson: (db: Context['db'], id: bigint) => Promise<P | undefined>;
  /** The company whose pages are limited in concurrency; absent in the administration. */
  readonly companyOf?: (person: P) => bigint;
  /** Shown beside the e-mail address in the header, such as the company's name. */
  readonly describePerson: (person: P, t: Translate) => string;
  readonly routes: readonly Route<P>[];
}

export const pageNotFound = (): ApiError => refusal(404, 'path', 'There is nothing at this address.');
