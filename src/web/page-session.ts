import { csrfSync } from 'csrf-sync';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import { PageSessions } from '../auth/session-store.ts';
import type { Context } from '../context.ts';
import type { Portal } from '../domain/actor.ts';
import type { AdapterDeps } from '../server/deps.ts';
import { Form } from './form.ts';
import { portals } from './portals.ts';

export const csrfField = '_csrf';

const csrf = csrfSync({ getTokenFromRequest: (request) => new Form(request).text(csrfField), size: 32 });
const csrfToken = /^[\da-f]{64}$/;

/** Refuses a form without its session's token; see isCsrfError. */
export const requireCsrfToken: RequestHandler = csrf.csrfSynchronisedProtection;

export const isCsrfError = (error: unknown): boolean => error === csrf.invalidCsrfTokenError;

/** Loads a portal's session from its cookie, and makes it available as `response.locals.session`. */
export function loadSession(
  portal: Portal,
  { db, clock, sessionSecret }: Pick<Context, 'db'> & Pick<AdapterDeps, 'clock'> & { readonly sessionSecret: string },
): RequestHandler[] {
  const { base, cookie, sameSite } = portals[portal];
  const store = new PageSessions(db, portal, clock);
  const load = session({
    name: cookie,
    secret: sessionSecret,
    store,
    resave: false,
    saveUninitialized: false,
    // A session cookie without a maximum age; the database enforces the time limits.
    cookie: { path: base, httpOnly: true, sameSite, secure: 'auto' },
  });
  const wrap: RequestHandler = (request, response, next) => {
    response.locals.session = new PageSession(request, store);
    next();
  };
  return [load, wrap];
}

/** A browser's session, whether or not a person has signed in. */
export class PageSession {
  readonly #request: Request;
  readonly #store: PageSessions;

  constructor(request: Request, store: PageSessions) {
    this.#request = request;
    this.#store = store;
  }

  /** Undefined after signing out. */
  get #session(): Partial<SessionData> | undefined {
    return this.#request.session;
  }

  get personId(): bigint | undefined {
    const personId = this.#session?.personId;
    return personId === undefined ? undefined : BigInt(personId);
  }

  /** Whether the person signed in with the password that has this mark. */
  isOpenedBy(passwordMark: string): boolean {
    return this.#session?.passwordMark === passwordMark;
  }

  csrfToken(): string {
    return csrf.generateToken(this.#request);
  }

  /** Whether no form was shown in this session yet. */
  get isNew(): boolean {
    return csrf.getTokenFromState(this.#request) === undefined;
  }

  /** Whether the form has the token of another session. A form without a token is none of ours. */
  hasForeignForm(): boolean {
    return !csrf.isRequestValid(this.#request) && csrfToken.test(new Form(this.#request).text(csrfField));
  }

  /** Signs in under a new session id, which prevents session fixation. */
  async signIn(personId: bigint, passwordMark: string): Promise<void> {
    await this.#call('regenerate');
    this.#request.session.personId = String(personId);
    this.#request.session.passwordMark = passwordMark;
    // Created now: two pages that load at once would create two tokens, and the session keeps only the last.
    this.csrfToken();
    await this.#call('save');
  }

  /** Saves a new session before its first form is shown; otherwise that form's token would be unknown. */
  async saveIfNew(): Promise<void> {
    this.csrfToken();
    if (!this.#session?.kept) await this.#call('save');
  }

  signOut(): Promise<void> {
    return this.#call('destroy');
  }

  async signOutEverywhere(): Promise<void> {
    if (this.personId !== undefined) await this.#store.endAll(this.personId);
    await this.signOut();
  }

  /** Leaves a notice for the next page. */
  async leaveNotice(text: string): Promise<void> {
    this.#request.session.notice = text;
    await this.#call('save');
  }

  takeNotice(): string | undefined {
    const notice = this.#session?.notice;
    delete this.#session?.notice;
    return notice;
  }

  /** A token for a form that can be submitted only once. */
  newFormToken(): Promise<string> {
    return this.#store.newFormToken(this.#request.sessionID);
  }

  /** Whether the form with this token is submitted for the first time. */
  takeFormToken(token: string): Promise<boolean> {
    return this.#store.takeFormToken(this.#request.sessionID, token);
  }

  /** Waits for express-session; `save` comes before a redirect, which a browser follows at its first line. */
  #call(method: 'regenerate' | 'save' | 'destroy'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#request.session[method]((error: unknown) => (error ? reject(error) : resolve()));
    });
  }
}
