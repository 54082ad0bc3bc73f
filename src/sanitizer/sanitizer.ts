import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type ApiError, invalid, unavailable } from '../domain/errors.ts';
import {
  type HtmlSize,
  hasManyMarks,
  hasVisibleCharacter,
  htmlMax,
  marksMessage,
  tooManyBytes,
  tooManyCharacters,
} from '../domain/field-rules.ts';
import type { Message } from '../domain/message.ts';
import { FairQueue } from './fair-queue.ts';
import { addSize, elementsMax, isWithin } from './html-rules.ts';
import type { Purified, Task } from './purify.ts';

interface Settings {
  /**
   * The most running and waiting bodies of a company; a further body is refused with 503. The company's limit on concurrent requests also
   * limits its bodies.
   */
  readonly pendingMax: number;
  readonly timeoutMs: number;
}

const defaults: Settings = { pendingMax: 16, timeoutMs: 10_000 };

type Refused = Exclude<Purified, { kind: 'clean' }> | { kind: 'empty' };

const messages = {
  empty: { text: 'must contain text that can be read', advice: ', not only tags and white space' },
  escaped: { text: 'is escaped twice', advice: ': send <p>, not &lt;p&gt;' },
  unparsable: { text: 'must be HTML that can be parsed', advice: '; simplify it and close your tags in order' },
};

function messagesOf(refused: Refused, limits: HtmlSize): Message[] {
  const { kind } = refused;
  if (kind === 'long') return lengthMessages(refused, limits);
  if (kind !== 'complex') return [messages[kind]];
  const text = 'must have at most {{max}} elements after sanitizing, not {{size}}';
  return [{ text, advice: '; use fewer tags or lines', params: { max: elementsMax, size: refused.elements } }];
}

const tooLong = {
  characters: 'must have at most {{max}} characters after sanitizing, not {{size}}',
  bytes: 'must have at most {{max}} UTF-8 bytes after sanitizing, not {{size}}',
};

const unitsBeyond = (size: HtmlSize, limits: HtmlSize) =>
  (['characters', 'bytes'] as const).filter((unit) => size[unit] > limits[unit]);

/** The contract's messages about HTML that is too long as sent. */
const sentMessages = (sent: HtmlSize, limits: HtmlSize): Message[] =>
  unitsBeyond(sent, limits).map((unit) =>
    unit === 'characters'
      ? tooManyCharacters(limits.characters, sent.characters)
      : tooManyBytes(limits.bytes, sent.bytes),
  );

/** Explains a result that is too long although the sent body was not. The advice depends on whether tags or escaping made it too long. */
function lengthMessages({ total, text, escaping }: Extract<Refused, { kind: 'long' }>, limits: HtmlSize): Message[] {
  return unitsBeyond(total, limits).map((unit) => ({
    text: tooLong[unit],
    advice:
      ': the text has {{words}} with &, <, > and no-break spaces escaped (&amp; &lt; &gt; &nbsp;), the tags {{tags}}; ' +
      (total[unit] - escaping > limits[unit] ? 'close your tags or use fewer' : 'shorten it'),
    params: { max: limits[unit], size: total[unit], words: text[unit], tags: total[unit] - text[unit] },
  }));
}

/** Matches what may begin a tag or a character reference, or end a line. HTML without a match needs no worker. */
const markup = /[<&\p{Cc}\p{Zl}\p{Zp}]/u;

/** Matches a tag of sanitized HTML. A tag that does not end extends to the end of the text. */
const tag = /<(?:"[^"]*(?:"|$)|[^">])*(?:>|$)/g;

/** Whether the text of HTML is visible. No-break and zero-width spaces do not count. */
const isVisible = (text: string): boolean => hasVisibleCharacter(text.replaceAll('&nbsp;', ''));

const busy = (message: string): ApiError => unavailable('sanitizer', message, 2);
const closed = (): ApiError => unavailable('draining', 'The service is shutting down; send the request again.', 2);

// Reserves one core for the event loop.
const threads = Math.min(2, Math.max(1, availableParallelism() - 1));

/** Sanitizes HTML in worker threads. They start when `warm` is called, or with the first body that matches `markup`. */
export class Sanitizer {
  readonly #settings: Settings;
  readonly #queue = new FairQueue(threads);
  /** The number of running and waiting bodies, by company. */
  readonly #pending = new Map<bigint, number>();
  #pool: Pool | undefined;
  #isClosed = false;

  constructor(settings: Partial<Settings> = {}) {
    this.#settings = { ...defaults, ...settings };
  }

  /**
   * Sanitizes the HTML of a company's field; sanitizing the result again changes nothing. The companies take turns. Throws 422 on the
   * field if the HTML or the result exceeds the field's limits, if the HTML is escaped twice or cannot be parsed, or if the result has too
   * many elements, too many combining marks in a row, or no visible text. Throws 503 `sanitizer` if too many bodies of the company are pending, or after `timeoutMs`, and 503
   * `draining` after `close`.
   */
  async sanitize(companyId: bigint, html: string, field = 'body', limits = htmlMax): Promise<string> {
    const refuse = (messages: readonly Message[]) => invalid(messages.map((message) => [field, message]));
    const sent = addSize({ characters: 0, bytes: 0 }, html);
    if (!isWithin(sent, limits)) throw refuse(sentMessages(sent, limits));
    const purified: Purified = markup.test(html)
      ? await this.#purify(companyId, { html, limits })
      : { kind: 'clean', html };
    if (purified.kind !== 'clean') throw refuse(messagesOf(purified, limits));
    const text = purified.html.replace(tag, '');
    if (!isVisible(text)) throw refuse(messagesOf({ kind: 'empty' }, limits));
    if (hasManyMarks(text)) throw refuse([marksMessage]);
    return purified.html;
  }

  /** Resolves when the workers are ready. */
  async warm(): Promise<void> {
    this.#pool ??= new Pool();
    await this.#pool.ready;
  }

  /** For metrics. */
  stats(): { running: number; waiting: number; ended: number } {
    const pending = [...this.#pending.values()].reduce((sum, bodies) => sum + bodies, 0);
    const { running } = this.#queue;
    return { running, waiting: pending - running, ended: this.#pool?.ended ?? 0 };
  }

  /** Ends the workers. Running and waiting bodies are refused with 503. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }

  async #purify(companyId: bigint, task: Task): Promise<Purified> {
    if (this.#isClosed) throw closed();
    const pending = this.#pending.get(companyId) ?? 0;
    if (pending >= this.#settings.pendingMax) throw busy('Too many bodies are being checked; send the request again.');
    this.#pending.set(companyId, pending + 1);
    try {
      return await this.#run(companyId, task);
    } catch {
      throw this.#isClosed ? closed() : busy('The body could not be checked in time; send the request again.');
    } finally {
      const left = (this.#pending.get(companyId) ?? 0) - 1;
      if (left === 0) this.#pending.delete(companyId);
      else this.#pending.set(companyId, left);
    }
  }

  /** `timeoutMs` includes the wait in the queue, but not the start of the workers. */
  async #run(companyId: bigint, task: Task): Promise<Purified> {
    this.#pool ??= new Pool();
    const pool = this.#pool;
    await pool.ready;
    const signal = AbortSignal.timeout(this.#settings.timeoutMs);
    return this.#queue.run(companyId, signal, async () => {
      if (this.#isClosed) throw closed();
      return pool.run(task, signal);
    });
  }
}

// purify.ts when run by tsx, purify.js when compiled.
const workerUrl = new URL(`./purify${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Worker threads, each with a DOM. They start when the pool is created. */
class Pool {
  readonly #piscina = new Piscina({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    // With atomics, a worker's event loop would never run between two bodies, and jsdom's memory would grow without bound.
    atomics: 'disabled',
    // Workers need none of the service's secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
  });
  /** Resolves when every worker has loaded. All workers count as idle from the start, so each gets one of these tasks. */
  readonly ready: Promise<unknown> = Promise.allSettled(
    Array.from({ length: threads }, () => this.#piscina.run({ html: '' } satisfies Task)),
  );
  #replaced: Promise<unknown> = Promise.resolve();
  /** Workers terminated because of a body. */
  ended = 0;

  constructor() {
    this.#piscina.on('workerDestroy', () => {
      this.ended += 1;
      this.#replaced = once(this.#piscina, 'workerCreate');
    });
    // Without a listener, this event would throw. Piscina emits it for a worker that fails outside a task, and replaces the worker.
    this.#piscina.on('error', () => {});
  }

  /** If the signal aborts, rejects, and Piscina terminates and replaces the worker. */
  run(task: Task, signal: AbortSignal): Promise<Purified> {
    return this.#piscina.run(task, { signal });
  }

  /** Waits until the workers have loaded: terminating one earlier may crash the process (nodejs/node#38418). */
  async close(): Promise<void> {
    await Promise.all([this.ready, this.#replaced]);
    await this.#piscina.destroy();
  }
}
