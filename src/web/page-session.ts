import { csrfSync } from 'csrf-sync';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import { PageSessions } from '../auth/page-sessions.ts';
import type { Portal } from '../domain/actor.ts';
import { formOf } from './form.ts';
import type { PageDeps } from './page-deps.ts';
import { portals } from './portals.ts';

export const csrfField = '_csrf';

const csrf = csrfSync({ getTokenFromRequest: (request) => formOf(request).text(csrfField), size: 32 });

/** Refuses a form without the token of its session; see isStaleForm. */
export const requireCsrfToken: RequestHandler = csrf.csrfSynchronisedProtection;

export const isStaleForm = (error: unknown): boolean => error === csrf.invalidCsrfTokenError;

/** The sessions of a portal, and the cookie that names one. */
export function sessionsOf(portal: Portal, { services, clock, sessionSecret }: PageDeps) {
  const { base, cookie, sameSite } = portals[portal];
  const store = new PageSessions(services.db, portal, clock);
  const load = session({
    name: cookie,
    secret: sessionSecret,
    store,
    resave: false,
    saveUninitialized: false,
    // Without an age: the browser forgets it when it closes, and the database knows the limits.
    cookie: { path: base, httpOnly: true, sameSite, secure: 'auto' },
  });
  return { load, visitOf: (request: Request) => new PageSession(request, store) };
}

/** One browser's session in the words of the pages. */
export class PageSession {
  readonly #request: Request;
  readonly #sessions: PageSessions;

  constructor(request: Request, sessions: PageSessions) {
    this.#request = request;
    this.#sessions = sessions;
  }

  /** There is none after signing out. */
  get #session(): Partial<SessionData> | undefined {
    return this.#request.session;
  }

  get personId(): bigint | undefined {
    const personId = this.#session?.personId;
    return personId === undefined ? undefined : BigInt(personId);
  }

  /** Whether somebody signed in with the password of that mark. */
  isOpenedBy(passwordMark: string): boolean {
    return this.#session?.passwordMark === passwordMark;
  }

  csrfToken(): string {
    return csrf.generateToken(this.#request);
  }

  /** A new id at sign-in, so that an id known from before is worth nothing. */
  async signIn(personId: bigint, passwordMark: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#request.session.regenerate((error: unknown) => (error ? reject(error) : resolve()));
    });
    this.#request.session.personId = String(personId);
    this.#request.session.passwordMark = passwordMark;
    // Before two pages that are loaded at the same time can each make one, of which the session would keep the last.
    this.csrfToken();
    await this.#save();
  }

  /** Keeps a session that is new before its first form is sent: without it the form would be refused. */
  async keep(): Promise<void> {
    this.csrfToken();
    if (!this.#session?.kept) await this.#save();
  }

  /** Before a redirection: express-session sends its head before it saves, and a browser follows at once. */
  #save(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#request.session.save((error: unknown) => (error ? reject(error) : resolve()));
    });
  }

  async signOut(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#request.session.destroy((error: unknown) => (error ? reject(error) : resolve()));
    });
  }

  async signOutEverywhere(): Promise<void> {
    if (this.personId !== undefined) await this.#sessions.endAll(this.personId);
    await this.signOut();
  }

  /** Says something on the next page. */
  async leaveNotice(text: string): Promise<void> {
    this.#request.session.notice = text;
    await this.#save();
  }

  takeNotice(): string | undefined {
    const notice = this.#session?.notice;
    delete this.#session?.notice;
    return notice;
  }

  /** For a form that may be sent once; takeFormToken says whether it is the first time. */
  newFormToken(): Promise<string> {
    return this.#sessions.newFormToken(this.#request.sessionID);
  }

  takeFormToken(token: string): Promise<boolean> {
    return this.#sessions.takeFormToken(this.#request.sessionID, token);
  }
}
