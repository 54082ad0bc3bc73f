import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { callbackify } from 'node:util';
import type { Request, RequestHandler, Response } from 'express';
import session, { type SessionData } from 'express-session';
import type { Db } from '../database/open.ts';
import type { Actor, Portal } from '../domain/actor.ts';
import { withoutSecrets } from '../domain/token.ts';
import { findAdministrator, findUser, passwordMark } from './accounts-sql.ts';
import * as queries from './page-sessions-sql.ts';
import { SentForm, type UndoForm } from './sent-form.ts';

declare module 'express-session' {
  interface SessionData {
    /** The signed-in person's id, in decimal. */
    personId: string;
    /** Mark of the password used to sign in. */
    passwordMark: string;
    /** Set once the session is stored. */
    kept: true;
    /** The token of the session's forms. */
    csrfToken: string;
    /** Shown once, on the next page. */
    notice?: string;
    undo?: UndoForm;
  }
}

/** A session lasts one working day from sign-in, used or not. */
export const sessionHours = 12;

export const csrfField = '_csrf';

interface SessionSettings {
  readonly db: Db;
  readonly clock: () => Date;
  /** The secrets that verify cookies and form tokens. The first one signs new ones. */
  readonly sessionSecrets: readonly string[];
}

interface PortalCookies {
  readonly cookie: string;
  /** The name of the cookie that form tokens use before sign-in. */
  readonly formCookie: string;
  /** The path to which browsers send both cookies. */
  readonly base: string;
  readonly sameSite: 'lax' | 'strict';
}

/** Loads the session that the portal's cookie names. PageSession uses it. */
export const loadSession = (
  portal: Portal,
  { cookie, base, sameSite }: PortalCookies,
  { db, clock, sessionSecrets }: SessionSettings,
): RequestHandler =>
  session({
    name: cookie,
    secret: [...sessionSecrets],
    store: new SessionStore(db, portal, clock),
    resave: false,
    saveUninitialized: false,
    // The cookie has no maximum age; the database enforces the session's time limit.
    cookie: { path: base, httpOnly: true, sameSite, secure: 'auto' },
  });

/** A browser's session, whether or not a person has signed in. Sign-in stores the session. */
export class PageSession {
  readonly #request: Request;
  readonly #response: Response;
  readonly #portal: Portal;
  readonly #cookies: PortalCookies;
  readonly #db: Db;
  readonly #secrets: readonly string[];
  #madeFormId: string | undefined;

  constructor(
    request: Request,
    response: Response,
    portal: Portal,
    cookies: PortalCookies,
    { db, sessionSecrets }: SessionSettings,
  ) {
    this.#request = request;
    this.#response = response;
    this.#portal = portal;
    this.#cookies = cookies;
    this.#db = db;
    this.#secrets = sessionSecrets;
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

  /**
   * The CSRF token of this browser's forms. Before sign-in nothing is stored: the token is an HMAC of the random id in a cookie. A person
   * who reads the secret in the database can forge such a token, but not a session.
   */
  csrfToken(): string {
    const [token] = this.#tokens();
    if (token !== undefined) return token;
    this.#makeFormId();
    return this.csrfToken();
  }

  hasToken(token: string): boolean {
    return this.#tokens().some((own) => isSame(own, token));
  }

  /** The accepted tokens; new forms get the first. A session that the previous version stored before sign-in keeps its token. */
  #tokens(): string[] {
    if (this.#session?.kept) return [this.#storedToken()];
    const id = this.#formId();
    const signed = `form before sign-in ${this.#portal} ${id}`;
    return id === undefined ? [] : this.#secrets.map((secret) => signatureOf(signed, secret));
  }

  #storedToken(): string {
    const { session } = this.#request;
    session.csrfToken ??= randomBytes(32).toString('hex');
    return session.csrfToken;
  }

  #formId(): string | undefined {
    const cookie = new RegExp(`(?:^|; ?)${this.#cookies.formCookie}=([\\w-]{22})(?:;|$)`);
    return this.#madeFormId ?? cookie.exec(this.#request.headers.cookie ?? '')?.[1];
  }

  #makeFormId(): void {
    this.#madeFormId = randomBytes(16).toString('base64url');
    const { base: path, sameSite, formCookie } = this.#cookies;
    const options = { path, httpOnly: true, sameSite, secure: this.#request.secure };
    this.#response.cookie(formCookie, this.#madeFormId, options);
  }

  /** Signs in under a new session id, which prevents session fixation. */
  async signIn(personId: bigint, passwordMark: string): Promise<void> {
    await this.#call('regenerate');
    this.#request.session.personId = String(personId);
    this.#request.session.passwordMark = passwordMark;
    // Create the token now: otherwise two pages that load at once would each create one, and the session would keep only the last.
    this.#storedToken();
    await this.#call('save');
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

  /** Whether a notice waits to be shown, because a form redirected to this page. */
  get hasNotice(): boolean {
    return this.#session?.notice !== undefined;
  }

  takeNotice() {
    const session = this.#session;
    const { notice, undo } = session ?? {};
    delete session?.notice;
    delete session?.undo;
    return { notice, undo };
  }

  /** Makes the hidden fields of a form that is carried out once, and stores its token: a form without one is not carried out. */
  async newFormKey(): Promise<ReturnType<typeof formKey>> {
    const key = formKey();
    await queries.addFormToken(this.#db, this.#portal, hashId(this.#request.sessionID), key.once);
    return key;
  }

  /** Returns a form that is carried out once. */
  sentForm(fields: ConstructorParameters<typeof SentForm>[3]): SentForm {
    return new SentForm(this.#db, this.#portal, hashId(this.#request.sessionID), fields);
  }

  /** Calls express-session and waits for it. A redirect must be sent after `save`: browsers follow it as soon as its first line arrives. */
  #call(method: 'regenerate' | 'save' | 'destroy'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#request.session[method]((error: unknown) => (error ? reject(error) : resolve()));
    });
  }
}

/** Makes the hidden fields of a form that is carried out once: a token, and a key for encrypting the answer. The key is not stored. */
export const formKey = () => ({
  once: randomBytes(16).toString('base64url'),
  onceKey: randomBytes(32).toString('base64url'),
});

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
  readonly company: {
    readonly id: bigint;
    readonly name: string;
    readonly suspended: boolean;
    readonly suspendedAt: Date | null;
    readonly suspensionReason: string | null;
  };
}

/** Finds a dashboard's user. Called for every page, so that account changes take effect at once. */
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
    company: { ...company, suspended: company.suspendedAt !== null },
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
      // An undo form's address may contain a filter, into which a secret may have been typed.
      const plain = JSON.parse(withoutSecrets(JSON.stringify(data)));
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

/** Returns the data of a session that has not ended. */
async function readSession(db: Db, portal: Portal, id: string, now: Date): Promise<SessionData | undefined> {
  // Only `SessionStore.set` writes this column, always from SessionData.
  return (await queries.findSession(db, portal, hashId(id), now)) as SessionData | undefined;
}

const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  Buffer.byteLength(one) === Buffer.byteLength(other) && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const hashId = (id: string): queries.SessionIdHash => new Uint8Array(createHash('sha256').update(id).digest());
