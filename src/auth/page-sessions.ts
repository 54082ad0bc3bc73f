import { createHash, randomBytes } from 'node:crypto';
import { callbackify } from 'node:util';
import session, { type SessionData } from 'express-session';
import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import * as store from '../queries/page-sessions.ts';

declare module 'express-session' {
  interface SessionData {
    /** Who signed in; a bigint in decimal. */
    personId: string;
    /** Of the password that opened it. */
    passwordMark: string;
    /** Set once the database knows the session. */
    kept: true;
    /** Said on the next page, once. */
    notice?: string;
  }
}

const limits: store.SessionLimits = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 3600 };

type Callback<T> = (error: unknown, result?: T) => void;

/** Sessions of one portal in the database, under the SHA-256 of their ids: who reads the table cannot use it to sign in. */
export class PageSessions extends session.Store {
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
    callbackify(async () => {
      const data = await store.findSession(this.#db, this.#portal, hashId(id), this.#clock());
      // The column is written by `set` alone, always from SessionData.
      return (data as SessionData | undefined) ?? null;
    })(done);
  }

  override set(id: string, data: SessionData, done: Callback<void> = ignore): void {
    callbackify(async () => {
      const write = data.kept ? store.updateSession : store.insertSession;
      data.kept = true;
      const { personId } = data;
      const plain = JSON.parse(JSON.stringify(data));
      const row = {
        portal: this.#portal,
        idHash: hashId(id),
        personId: personId ? BigInt(personId) : null,
        data: plain,
      };
      await write(this.#db, row, this.#clock(), limits);
    })(done);
  }

  override touch(id: string, _data: SessionData, done: Callback<void> = ignore): void {
    callbackify(() => store.prolongSession(this.#db, this.#portal, hashId(id), this.#clock(), limits))(done);
  }

  override destroy(id: string, done: Callback<void> = ignore): void {
    callbackify(() => store.deleteSession(this.#db, this.#portal, hashId(id)))(done);
  }

  /** Signs a person out wherever they are signed in. */
  endAll(personId: bigint): Promise<void> {
    return store.deleteSessionsOf(this.#db, this.#portal, personId);
  }

  /** For a form that may be sent once; takeFormToken says whether it is the first time. */
  async newFormToken(id: string): Promise<string> {
    const token = randomBytes(16).toString('base64url');
    await store.addFormToken(this.#db, this.#portal, hashId(id), token);
    return token;
  }

  /** Whether this form is sent for the first time: of two at the same moment one is. */
  takeFormToken(id: string, token: string): Promise<boolean> {
    return store.takeFormToken(this.#db, this.#portal, hashId(id), token);
  }
}

const ignore = (): void => undefined;

const hashId = (id: string): store.SessionIdHash => new Uint8Array(createHash('sha256').update(id).digest());
