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

/**
 * What is known of a form that is not carried out. It is `done` if its answer is no longer shown, and `unknown` if it was sent before. Of a
 * `forgotten` form, nobody knows whether it was.
 */
type EarlierForm =
  | { readonly kind: 'answered'; readonly answer: FormAnswer }
  | { readonly kind: 'done' | 'unknown' | 'forgotten' };

/** What the session stores about the latest form that was sent. Without `answer`, it is still being carried out, or its result is unknown. */
interface KeptForm {
  /** In milliseconds. */
  readonly at: number;
  /** A mark for each set of values that was sent with the form. The answer is that to the last one. */
  readonly marks: readonly string[];
  readonly answer?: FormAnswer | undefined;
}

/** How many sets of values are remembered. The form must then be loaded again. */
const marksMax = 100;

/** The hidden fields of a form that is carried out once, and everything else that was sent with it. */
interface FormFields {
  readonly once: string;
  readonly onceKey: string;
  readonly sent: string;
}

/** How long an answer is available to the same form sent again. */
const keptMs = 2 * minuteMs;

/** How long a second post waits for the first. */
const wait = { times: 100, ms: 100 };

const algorithm = 'aes-256-gcm';

type Stored = Uint8Array<ArrayBuffer>;

/**
 * A form that is carried out once. The same form with the same values, sent again in the same session, waits for the first and gets its
 * answer; with other values it is another form. The session has a token for each form that was shown and not sent. It also has the answer to
 * the latest form, encrypted with a key that only this form contains. A form with neither is not carried out, except a file's.
 */
export class SentForm {
  readonly #session: readonly [Db, Portal, queries.SessionIdHash];
  readonly #once: string;
  /** Names the values that were sent. */
  readonly #mark: string;
  /** Undefined for a form of the previous version, which has no key. The answer to such a form is not kept. */
  readonly #key: Buffer | undefined;
  #kept: KeptForm = { at: 0, marks: [] };
  #begun: Parameters<typeof queries.beginForm>[3] | undefined;

  constructor(db: Db, portal: Portal, idHash: queries.SessionIdHash, { once, onceKey, sent }: FormFields) {
    this.#session = [db, portal, idHash];
    this.#once = once;
    const derived = (text: string): Buffer => createHmac('sha256', onceKey).update(text).digest();
    this.#mark = derived(`mark ${once} ${sent}`).toString('base64url', 0, 16);
    this.#key = onceKey === '' ? undefined : derived(`answer ${once}`);
  }

  /**
   * Returns undefined if this request must carry out the form, otherwise what is known of the form. With `pageStays`, the form needs no
   * token, and is carried out again if its answer is no longer stored.
   */
  async claim(clock: () => Date, pageStays = false): Promise<EarlierForm | undefined> {
    for (let tries = 0; tries < wait.times; tries++) {
      const found = await queries.findForms(...this.#session, this.#once);
      if (!found) return { kind: 'forgotten' };
      const kept = this.#opened(found.answer ?? undefined);
      const earlier = this.#earlier(kept, clock(), pageStays);
      if (earlier === 'at work') await setTimeout(wait.ms);
      else if (earlier) return earlier;
      else if (!kept && !found.isUnsent && !pageStays) return { kind: 'forgotten' };
      else if (await this.#begin(kept, found.answer, clock(), pageStays)) return undefined;
    }
    return { kind: 'unknown' };
  }

  /** What is known of this form with these values. Undefined if it must be carried out. */
  #earlier(kept: KeptForm | undefined, now: Date, pageStays: boolean): EarlierForm | 'at work' | undefined {
    if (!kept) return undefined;
    const { at, marks, answer } = kept;
    const isLatest = marks.at(-1) === this.#mark;
    const isShown = isLatest && now.getTime() - at <= keptMs;
    if (isShown) return answer ? { kind: 'answered', answer } : 'at work';
    if (pageStays) return undefined;
    if (marks.includes(this.#mark)) return { kind: isLatest && answer ? 'done' : 'unknown' };
    return marks.length < marksMax ? undefined : { kind: 'forgotten' };
  }

  async #begin(kept: KeptForm | undefined, before: Stored | null, now: Date, pageStays: boolean): Promise<boolean> {
    const marks = kept?.marks.filter((mark) => mark !== this.#mark).slice(1 - marksMax) ?? [];
    this.#kept = { at: now.getTime(), marks: [...marks, this.#mark] };
    const token = kept || pageStays ? null : this.#once;
    this.#begun = { token, before, answer: this.#sealed(this.#kept) };
    return queries.beginForm(...this.#session, this.#begun);
  }

  async keep(answer: FormAnswer, now: Date): Promise<void> {
    await this.#store({ ...this.#kept, at: now.getTime(), answer });
  }

  /** Call if the form changed nothing: it may then be sent again. */
  async release(): Promise<void> {
    if (this.#begun) await queries.undoForm(...this.#session, this.#begun);
  }

  /** Call if the form may have changed something: the same form no longer waits for an answer. */
  async forget(): Promise<void> {
    await this.#store({ ...this.#kept, at: 0 });
  }

  async #store(kept: KeptForm): Promise<void> {
    if (this.#begun) await queries.keepFormAnswer(...this.#session, this.#begun.answer, this.#sealed(kept));
  }

  #sealed(kept: KeptForm): Stored {
    if (!this.#key) return new Uint8Array();
    const nonce = randomBytes(12);
    const cipher = createCipheriv(algorithm, this.#key, nonce);
    const text = deflateRawSync(JSON.stringify(kept));
    return new Uint8Array(Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]));
  }

  /** Decrypts what is stored. Returns undefined if it is about another form. */
  #opened(sealed = new Uint8Array()): KeptForm | undefined {
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
