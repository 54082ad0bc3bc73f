import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { type ApiError, invalid, unavailable } from '../domain/errors.ts';
import { type HtmlSize, hasVisibleCharacter, htmlLimitsOf } from '../domain/field-rules.ts';
import { elementsMax } from './html-rules.ts';
import type { Purified, Task } from './purify.ts';

interface Settings {
  /** Running and waiting bodies; the next one is refused with 503. */
  readonly pendingMax: number;
  readonly timeoutMs: number;
}

const defaults: Settings = { pendingMax: 64, timeoutMs: 10_000 };

type Refused = Exclude<Purified, { kind: 'clean' }> | { kind: 'empty' };

const messages = {
  empty: 'must contain text that can be read, not only tags and white space',
  escaped: 'is escaped twice: send <p>, not &lt;p&gt;',
  unparsable: 'must be HTML that can be parsed; simplify it and close your tags in order',
};

function messagesOf(refused: Refused, limits: HtmlSize): string[] {
  const { kind } = refused;
  if (kind === 'long') return lengthMessages(refused, limits);
  if (kind !== 'complex') return [messages[kind]];
  return [
    `must have at most ${elementsMax} elements after sanitizing, not ${refused.elements}; use fewer tags or lines`,
  ];
}

const units = { characters: 'characters', bytes: 'UTF-8 bytes' } as const;

/** The sent body is within the limits. If escaping does not explain the length of the result, the tags have grown. */
function lengthMessages({ total, text, escaping }: Extract<Refused, { kind: 'long' }>, limits: HtmlSize): string[] {
  return (['characters', 'bytes'] as const)
    .filter((unit) => total[unit] > limits[unit])
    .map((unit) => {
      const advice = total[unit] - escaping > limits[unit] ? 'close your tags or use fewer' : 'shorten it';
      return (
        `must have at most ${limits[unit]} ${units[unit]} after sanitizing, not ${total[unit]}: the text has ${text[unit]} with &, <, > and ` +
        `no-break spaces escaped (&amp; &lt; &gt; &nbsp;), the tags ${total[unit] - text[unit]}; ${advice}`
      );
    });
}

/** Tags, references and line ends. */
const markup = /[<&\p{Cc}\p{Zl}\p{Zp}]/u;

const tag = /<(?:"[^"]*"|[^">])*>/g;

/** Whether HTML has visible text. A rule, an empty cell, a no-break or zero-width space is not visible. */
const hasVisibleText = (html: string): boolean => hasVisibleCharacter(html.replace(tag, '').replaceAll('&nbsp;', ''));

const busy = (message: string): ApiError => unavailable('sanitizer', message, 2);
const closed = (): ApiError => unavailable('draining', 'The service is shutting down; send the request again.', 2);

/** Sanitizes job bodies in worker threads, which start with `warm` or the first body that is more than one line of text. */
export class Sanitizer {
  readonly #settings: Settings;
  #pool: Pool | undefined;
  #pending = 0;
  #isClosed = false;

  constructor(settings: Partial<Settings> = {}) {
    this.#settings = { ...defaults, ...settings };
  }

  /**
   * Sanitizes the HTML of a job field that is within the field's limits as sent; sanitizing the result again changes nothing. Throws 422 on
   * the field if the result is too long, has too many elements or no visible text; 503 `sanitizer` if too many bodies wait, or after
   * `timeoutMs`; 503 `draining` after `close`.
   */
  async sanitize(html: string, field = 'body'): Promise<string> {
    const limits = htmlLimitsOf(field);
    const purified: Purified = markup.test(html) ? await this.#purify({ html, limits }) : { kind: 'clean', html };
    if (purified.kind === 'clean' && hasVisibleText(purified.html)) return purified.html;
    const refused: Refused = purified.kind === 'clean' ? { kind: 'empty' } : purified;
    throw invalid(messagesOf(refused, limits).map((message) => [field, message]));
  }

  /** The advice for HTML that is too long as sent. Throws 503 as `sanitize` does. */
  async explainLength(html: string, field: string): Promise<string> {
    const { characters: max } = htmlLimitsOf(field);
    const measured = await this.#purify({ html, limits: { characters: 0, bytes: 0 } });
    const kept = measured.kind === 'long' ? measured.total.characters : 0;
    if (measured.kind === 'complex' || kept > max) return '; shorten the text';
    const left = [...html].length - kept;
    return `, of which ${kept} are left after sanitizing and ${left} are in styles, comments, attributes and tags that are not kept: leave those out`;
  }

  /** Resolves when the workers are ready. */
  async warm(): Promise<void> {
    this.#pool ??= new Pool();
    await this.#pool.ready;
  }

  /** For metrics. */
  stats(): { running: number; waiting: number; ended: number } {
    const running = Math.min(this.#pending, threads);
    return { running, waiting: this.#pending - running, ended: this.#pool?.ended ?? 0 };
  }

  /** Ends the workers. Running and waiting bodies are refused with 503. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }

  async #purify(task: Task): Promise<Purified> {
    if (this.#isClosed) throw closed();
    if (this.#pending >= this.#settings.pendingMax)
      throw busy('Too many job bodies are being checked; send the request again.');
    this.#pending += 1;
    try {
      this.#pool ??= new Pool();
      return await this.#pool.run(task, this.#settings.timeoutMs);
    } catch {
      throw this.#isClosed ? closed() : busy('The body could not be checked in time; send the request again.');
    } finally {
      this.#pending -= 1;
    }
  }
}

// Reserves one core for the event loop.
const threads = Math.min(2, Math.max(1, availableParallelism() - 1));

// purify.ts when run by tsx, purify.js when compiled.
const workerUrl = new URL(`./purify${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Worker threads, each with a DOM. They start at once. */
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
    // Piscina replaces a worker that fails outside a task.
    this.#piscina.on('error', () => {});
  }

  /** Throws after `timeoutMs` and replaces the worker. */
  async run(task: Task, timeoutMs: number): Promise<Purified> {
    await this.ready;
    return this.#piscina.run(task, { signal: AbortSignal.timeout(timeoutMs) });
  }

  /** Waits until the workers have loaded: terminating one earlier may crash the process (nodejs/node#38418). */
  async close(): Promise<void> {
    await Promise.all([this.ready, this.#replaced]);
    await this.#piscina.destroy();
  }
}
