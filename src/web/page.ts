import type { VNode } from 'preact';
import type { PasswordCheck } from '../auth/sign-in.ts';
import type { Portal } from '../domain/actor.ts';
import type { ActionContext } from '../operations/recorded.ts';
import type { Form } from './form.ts';
import type { PageSession } from './page-session.ts';

/** Whoever has signed in, of either portal. */
export interface Person {
  readonly id: bigint;
  readonly email: string;
  /** As the audit trail names them. */
  readonly actor: string;
  /** Of the password that the account has now. */
  readonly passwordMark: string;
}

/** What a page may know; as an ActionContext it acts in the person's name. */
export interface PageContext<P extends Person> extends ActionContext {
  readonly portal: Portal;
  readonly person: P;
  readonly session: PageSession;
  readonly timeZone: string;
  /** Of the service as its clients reach it, without a trailing slash. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: Form;
  /** Whether this is the person's own password; after ten failures in 15 minutes it is not looked at. */
  readonly checkPassword: (password: string) => Promise<PasswordCheck>;
}

export type PageAnswer =
  | { readonly kind: 'page'; readonly status: number; readonly title: string; readonly content: VNode }
  /** 303, with something to say on the page that follows. */
  | { readonly kind: 'redirect'; readonly to: string; readonly notice: string | undefined };

export const page = (title: string, content: VNode, status = 200): PageAnswer => ({
  kind: 'page',
  status,
  title,
  content,
});

export const redirect = (to: string, notice?: string): PageAnswer => ({ kind: 'redirect', to, notice });

/** One page of a portal, below its base; only a person who has signed in reaches it. */
export interface Route<P extends Person> {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly run: (ctx: PageContext<P>) => PageAnswer | Promise<PageAnswer>;
}

export interface NavLink {
  readonly href: string;
  readonly text: string;
}

/** All that a portal brings of its own. */
export interface PortalPages<P extends Person> {
  readonly portal: Portal;
  readonly links: readonly NavLink[];
  readonly findPerson: (db: ActionContext['db'], id: bigint) => Promise<P | undefined>;
  /** Whose pages wait for each other when they are many; left out, nobody's. */
  readonly companyOf?: (person: P) => bigint;
  /** Beside the e-mail address in the head of every page, such as the company's name. */
  readonly describePerson: (person: P) => string;
  readonly routes: readonly Route<P>[];
}
