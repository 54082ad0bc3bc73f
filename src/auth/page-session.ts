import { createHash, randomBytes } from 'node:crypto';
import { callbackify } from 'node:util';
import { csrfSync } from 'csrf-sync';
import type { Request, RequestHandler } from 'express';
import session, { type SessionData } from 'express-session';
import type { Db } from '../database/open.ts';
import type { Actor, Portal } from '../domain/actor.ts';
import { findAdministrator, findUser, passwordMark } from './accounts-sql.ts';
import * as queries from './page-sessions-sql.ts';

declare module 'express-session' {
  interface SessionData {
    /** The signed-in person's id, in decimal. */
    personId: string;
    /** Mark of the password used to sign in. */
    passwordMark: string;
    /** Set once the session is stored. */
    kept: true;
    /** Shown once, on the next page. */
    notice?: string;
    undo?: UndoForm;
    /** The latest form that must not be sent twice, with its answer. */
    answered?: { readonly form: string; readonly answer: FormAnswer };
  }
}

/** Where a form has led. */
export interface FormAnswer {
  readonly to: string;
  readonly notice?: string;
  readonly undo?: UndoForm | undefined;
}

/** What undoes the change that a notice is about: a form without anything to fill in. */
export interface UndoForm {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** A session lasts one working day from sign-in, used or not. */
export const sessionHours = 12;

export const csrfField = '_csrf';

const csrf = csrfSync({ getTokenFromRequest: ({ body }) => body?.[csrfField], size: 32 });

/** Refuses a form without its session's token; see isCsrfError. */
export const requireCsrfToken: RequestHandler = csrf.csrfSynchronisedProtection;

export const isCsrfError = (error: unknown): boolean => error === csrf.invalidCsrfTokenError;

interface SessionSettings {
  readonly db: Db;
  readonly clock: () => Date;
  /** The secrets of the cookies. The first one signs. */
  readonly sessionSecrets: readonly string[];
}

interface SessionCookie {
  readonly cookie: string;
  /** The path that it is sent to. */
  readonly base: string;
  readonly sameSite: 'lax' | 'strict';
}

/** Loads the session that the portal's cookie names, for PageSession. */
export const loadSession = (
  portal: Portal,
  { cookie, base, sameSite }: SessionCookie,
  { db, clock, sessionSecrets }: SessionSettings,
): RequestHandler =>
  session({
    name: cookie,
    secret: [...sessionSecrets],
    store: new SessionStore(db, portal, clock),
    resave: false,
    saveUninitialized: false,
    // A session cookie without a maximum age; the database enforces the time limit.
    cookie: { path: base, httpOnly: true, sameSite, secure: 'auto' },
  });

/** A browser's session, whether or not a person has signed in. */
export class PageSession {
  readonly #request: Request;
  readonly #db: Db;
  readonly #portal: Portal;

  constructor(request: Request, db: Db, portal: Portal) {
    this.#request = request;
    this.#db = db;
    this.#portal = portal;
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

  /** Reads again whether the session is open: it may have ended since it was loaded. */
  async isOpen(now: Date): Promise<boolean> {
    return (await readSession(this.#db, this.#portal, this.#request.sessionID, now)) !== undefined;
  }

  csrfToken(): string {
    return csrf.generateToken(this.#request);
  }

  /** Signs in under a new session id, which prevents session fixation. */
  async signIn(personId: bigint, passwordMark: string): Promise<void> {
    await this.#call('regenerate');
    this.#request.session.personId = String(personId);
    this.#request.session.passwordMark = passwordMark;
    // Create the token now: otherwise two pages that load at once would each create one, and the session would keep only the last.
    this.csrfToken();
    await this.#call('save');
  }

  /** Saves a new session before its first form is shown; an unsaved session would not know that form's token. */
  async saveIfNew(): Promise<void> {
    this.csrfToken();
    if (!this.#session?.kept) await this.#call('save');
  }

  signOut(): Promise<void> {
    return this.#call('destroy');
  }

  async signOutEverywhere(): Promise<void> {
    if (this.personId !== undefined) await queries.deleteSessionsOf(this.#db, this.#portal, this.personId);
    await this.signOut();
  }

  /** Leaves a notice for the next page. */
  async leaveNotice(text: string, undo?: UndoForm): Promise<void> {
    Object.assign(this.#request.session, { notice: text, undo });
    await this.#call('save');
  }

  takeNotice() {
    const session = this.#session;
    const { notice, undo } = session ?? {};
    delete session?.notice;
    delete session?.undo;
    return { notice, undo };
  }

  /** A token for a form that can be submitted only once. */
  async newFormToken(): Promise<string> {
    const token = randomBytes(16).toString('base64url');
    await queries.addFormToken(this.#db, this.#portal, hashId(this.#request.sessionID), token);
    return token;
  }

  /** True the first time a form is submitted. Of two simultaneous submissions, only one gets true. */
  takeFormToken(token: string): Promise<boolean> {
    return queries.takeFormToken(this.#db, this.#portal, hashId(this.#request.sessionID), token);
  }

  /** Keeps the answer to a form until the next one, for the same form sent again. Saved with the notice. */
  keepAnswer(form: string, answer: FormAnswer): void {
    this.#request.session.answered = { form: markOf(form), answer };
  }

  /** The answer to this form if it was the latest one. Read again, because the form may have been answered since this request began. */
  async answerTo(form: string, now: Date): Promise<FormAnswer | undefined> {
    const answered = (await readSession(this.#db, this.#portal, this.#request.sessionID, now))?.answered;
    return answered?.form === markOf(form) ? answered.answer : undefined;
  }

  /** Waits for express-session. A redirect must come after `save`: browsers follow it as soon as its first line arrives. */
  #call(method: 'regenerate' | 'save' | 'destroy'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#request.session[method]((error: unknown) => (error ? reject(error) : resolve()));
    });
  }
}

export interface AdministratorPerson {
  readonly id: bigint;
  readonly email: string;
  readonly actor: Actor;
  /** Changes with the account's password. */
  readonly passwordMark: string;
}

/** A user of a company's dashboard. Users of a suspended company may still sign in and read why. */
export interface CompanyPerson extends AdministratorPerson {
  readonly isMain: boolean;
  readonly company: { readonly id: bigint; readonly name: string; readonly suspended: boolean };
}

/** Read for every page, so that account changes take effect at once. */
export async function findCompanyPerson(db: Db, id: bigint): Promise<CompanyPerson | undefined> {
  const user = await findUser(db, id);
  if (!user) return undefined;
  const { email, role, company, passwordHash } = user;
  return {
    id,
    email,
    actor: { kind: 'user', id, companyId: company.id, role },
    passwordMark: passwordMark(passwordHash),
    isMain: role === 'main',
    company: { id: company.id, name: company.name, suspended: company.suspendedAt !== null },
  };
}

export async function findAdministratorPerson(db: Db, id: bigint): Promise<AdministratorPerson | undefined> {
  const administrator = await findAdministrator(db, id);
  if (!administrator) return undefined;
  const { email, passwordHash } = administrator;
  return { id, email, actor: { kind: 'administrator', id }, passwordMark: passwordMark(passwordHash) };
}

type Callback<T> = (error: unknown, result?: T) => void;

/** Stores the sessions of one portal under the SHA-256 of their ids, so that reading the table is not enough to sign in. */
export class SessionStore extends session.Store {
  readonly #db: Db;
  readonly #portal: Portal;
  readonly #clock: () => Date;

  constructor(db: Db, portal: Portal, clock: () => Date) {
    super();
    this.#db = db;
    this.#portal = portal;
    this.#clock = clock;
  }

  override get(id: string, done: Callback<SessionData | null>): void {
    callbackify(async () => (await readSession(this.#db, this.#portal, id, this.#clock())) ?? null)(done);
  }

  override set(id: string, data: SessionData, done: Callback<void> = ignore): void {
    callbackify(async () => {
      const write = data.kept ? queries.updateSession : queries.insertSession;
      data.kept = true;
      const { personId } = data;
      const plain = JSON.parse(JSON.stringify(data));
      const row = {
        portal: this.#portal,
        idHash: hashId(id),
        personId: personId ? BigInt(personId) : null,
        data: plain,
      };
      await write(this.#db, row, this.#clock(), sessionHours);
    })(done);
  }

  override destroy(id: string, done: Callback<void> = ignore): void {
    callbackify(() => queries.deleteSession(this.#db, this.#portal, hashId(id)))(done);
  }
}

const ignore = (): void => undefined;

/** The data of a session that has not ended. */
async function readSession(db: Db, portal: Portal, id: string, now: Date): Promise<SessionData | undefined> {
  // Only `SessionStore.set` writes this column, always from SessionData.
  return (await queries.findSession(db, portal, hashId(id), now)) as SessionData | undefined;
}

const markOf = (form: string): string => createHash('sha256').update(form).digest('base64url');

const hashId = (id: string): queries.SessionIdHash => new Uint8Array(createHash('sha256').update(id).digest());
