import { createHash, randomBytes } from 'node:crypto';
import { callbackify } from 'node:util';
import session, { type SessionData } from 'express-session';
import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import * as queries from '../queries/page-sessions.ts';

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
  }
}

const limits: queries.SessionLimits = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 3600 };

type Callback<T> = (error: unknown, result?: T) => void;

/** Stores the sessions of one portal under the SHA-256 of their ids, so that reading the table is not enough to sign in. */
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
      const data = await queries.findSession(this.#db, this.#portal, hashId(id), this.#clock());
      // Only `set` writes this column, always from SessionData.
      return (data as SessionData | undefined) ?? null;
    })(done);
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
      await write(this.#db, row, this.#clock(), limits);
    })(done);
  }

  override touch(id: string, _data: SessionData, done: Callback<void> = ignore): void {
    callbackify(() => queries.prolongSession(this.#db, this.#portal, hashId(id), this.#clock(), limits))(done);
  }

  override destroy(id: string, done: Callback<void> = ignore): void {
    callbackify(() => queries.deleteSession(this.#db, this.#portal, hashId(id)))(done);
  }

  /** Signs a person out everywhere. */
  endAll(personId: bigint): Promise<void> {
    return queries.deleteSessionsOf(this.#db, this.#portal, personId);
  }

  /** A token for a form that may be submitted once. */
  async newFormToken(id: string): Promise<string> {
    const token = randomBytes(16).toString('base64url');
    await queries.addFormToken(this.#db, this.#portal, hashId(id), token);
    return token;
  }

  /** True the first time a form is submitted; of two simultaneous submissions, for one. */
  takeFormToken(id: string, token: string): Promise<boolean> {
    return queries.takeFormToken(this.#db, this.#portal, hashId(id), token);
  }
}

const ignore = (): void => undefined;

const hashId = (id: string): queries.SessionIdHash => new Uint8Array(createHash('sha256').update(id).digest());
