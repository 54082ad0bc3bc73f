import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { minuteMs } from '../domain/dates.ts';
import * as queries from './page-sessions-sql.ts';

/** A form with only hidden fields that undoes the change that a notice reports. */
export interface UndoForm {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The answer to a form: a redirect, a page, or a file. The file itself is not stored, because it can be read again. */
export type FormAnswer =
  | { readonly kind: 'redirect'; readonly to: string; readonly notice?: string; readonly undo?: UndoForm | undefined }
  | { readonly kind: 'html'; readonly html: string }
  | { readonly kind: 'file' };

/** What is known of a form that was sent before. It is `done` if its answer is no longer shown. */
type EarlierForm = { readonly kind: 'answered'; readonly answer: FormAnswer } | { readonly kind: 'done' | 'unknown' };

/** How long an answer is available to the same form sent again. */
const keptMs = 2 * minuteMs;

/** How long a second post waits for the first. */
const wait = { times: 100, ms: 100 };

const algorithm = 'aes-256-gcm';

/**
 * A form that is carried out once. The same form with the same values, sent again in the same session, waits for the first and gets its
 * answer; with other values it is another form. The database stores the answer encrypted, with a key that only the form contains.
 */
export class SentForm {
  readonly #db: Db;
  readonly #portal: Portal;
  readonly #idHash: queries.SessionIdHash;
  readonly #mark: string;
  /** Undefined for a form of the previous version, which has no key. The answer to such a form is not kept. */
  readonly #key: Buffer | undefined;

  constructor(db: Db, portal: Portal, idHash: queries.SessionIdHash, key: string, sent: string) {
    this.#db = db;
    this.#portal = portal;
    this.#idHash = idHash;
    const derived = (use: string): Buffer => createHmac('sha256', key).update(`${use} ${sent}`).digest();
    this.#mark = derived('mark').toString('base64url');
    this.#key = key === '' ? undefined : derived('answer');
  }

  /**
   * Returns undefined if this request must carry out the form, otherwise what is known of the form that was sent before. With `pageStays`,
   * a form whose answer is no longer stored is carried out again.
   */
  async claim(clock: () => Date, pageStays = false): Promise<EarlierForm | undefined> {
    let forgotten: Awaited<ReturnType<typeof queries.findFormAnswer>>;
    for (let waits = 0; waits < wait.times; waits++) {
      const begun = { mark: this.#mark, answer: this.#sealed(clock(), undefined), instead: forgotten };
      if (await queries.claimForm(this.#db, this.#portal, this.#idHash, begun)) return undefined;
      const found = await queries.findFormAnswer(this.#db, this.#portal, this.#idHash);
      const kept = this.#opened(found);
      const isKept = kept && clock().getTime() - kept.at <= keptMs;
      if (isKept && kept.answer) return { kind: 'answered', answer: kept.answer };
      if (!isKept && !pageStays) return { kind: kept?.answer ? 'done' : 'unknown' };
      forgotten = isKept ? undefined : found;
      if (isKept) await setTimeout(wait.ms);
    }
    return { kind: 'unknown' };
  }

  keep(answer: FormAnswer, now: Date): Promise<void> {
    return queries.keepFormAnswer(this.#db, this.#portal, this.#idHash, this.#sealed(now, answer));
  }

  /** Call if the form changed nothing: it may then be sent again. */
  release(): Promise<void> {
    return queries.releaseForm(this.#db, this.#portal, this.#idHash, this.#mark);
  }

  /** Call if the form may have changed something: it stays marked, and the same form no longer waits for an answer. */
  forget(): Promise<void> {
    return queries.keepFormAnswer(this.#db, this.#portal, this.#idHash, new Uint8Array());
  }

  #sealed(now: Date, answer: FormAnswer | undefined): Uint8Array<ArrayBuffer> {
    if (!this.#key) return new Uint8Array();
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    const text = deflateRawSync(JSON.stringify({ at: now.getTime(), answer }));
    return new Uint8Array(Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]));
  }

  /** Decrypts a stored answer. Returns undefined if there is none, or if it is the answer to another form. */
  #opened(sealed = new Uint8Array()): { readonly at: number; readonly answer?: FormAnswer } | undefined {
    if (!this.#key || sealed.length < 28) return undefined;
    const decipher = createDecipheriv(algorithm, this.#key, sealed.subarray(0, 12));
    decipher.setAuthTag(sealed.subarray(-16));
    try {
      const text = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
      return JSON.parse(inflateRawSync(text).toString());
    } catch {
      return undefined;
    }
  }
}
