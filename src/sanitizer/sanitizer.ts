import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { type ApiError, invalid, unavailable } from '../domain/errors.ts';
import { elementsMax, type HtmlLimits, hasVisibleText, htmlLimitsOf, isWithinLimits } from './html-limits.ts';
import { Pool, threads } from './pool.ts';
import type { Purified } from './purify.ts';

interface Settings {
  /** Running and waiting bodies; the next one is refused with 503. */
  readonly pendingMax: number;
  readonly timeoutMs: number;
}

const defaults: Settings = { pendingMax: 64, timeoutMs: 10_000 };

const messages = {
  complex: () => `must have at most ${elementsMax} elements after sanitizing; use fewer tags`,
  empty: () => 'must contain text that can be read, not only tags and white space',
  input: ({ characters, bytes }: HtmlLimits) => `must have at most ${characters} characters and ${bytes} UTF-8 bytes`,
  long: ({ characters, bytes }: HtmlLimits) =>
    `must have at most ${characters} characters and ${bytes} UTF-8 bytes after sanitizing; close your tags or shorten it`,
  unparsable: () => 'must be HTML that can be parsed; simplify it and close your tags in order',
};

const busy = (message: string): ApiError => unavailable('sanitizer', message, 2);
const closed = (): ApiError => unavailable('draining', 'The service is shutting down; send the request again.', 2);

/** Sanitizes job bodies in worker threads, which start with `warm` or the first body with markup. */
export class Sanitizer {
  readonly #settings: Settings;
  #pool: Pool | undefined;
  readonly #places: ConcurrencyLimit<'body'>;
  #isClosed = false;

  constructor(settings: Partial<Settings> = {}) {
    this.#settings = { ...defaults, ...settings };
    this.#places = new ConcurrencyLimit({ max: this.#settings.pendingMax });
  }

  /**
   * Returns the sanitized HTML of a job field; sanitizing it again changes nothing. Throws 422 on the field if it is too long, has too
   * many elements or no visible text; 503 `sanitizer` if too many bodies wait or after `timeoutMs`; 503 `draining` after `close`.
   */
  async sanitize(html: string, field = 'body'): Promise<string> {
    const limits = htmlLimitsOf(field);
    const refused = (reason: keyof typeof messages) => invalid([[field, messages[reason](limits)]]);
    if (!isWithinLimits(html, limits)) throw refused('input');
    const purified: Purified = /[<&]/.test(html) ? await this.#purify(html) : { kind: 'clean', html };
    if (purified.kind !== 'clean') throw refused(purified.kind);
    if (!isWithinLimits(purified.html, limits)) throw refused('long');
    if (!hasVisibleText(purified.html)) throw refused('empty');
    return purified.html;
  }

  /** Resolves when the workers are ready. */
  async warm(): Promise<void> {
    this.#pool ??= new Pool();
    await this.#pool.ready;
  }

  /** For metrics. */
  stats(): { running: number; waiting: number; ended: number } {
    const { taken } = this.#places;
    const running = Math.min(taken, threads);
    return { running, waiting: taken - running, ended: this.#pool?.ended ?? 0 };
  }

  /** Ends the workers. Running and waiting bodies are refused with 503. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }

  async #purify(html: string): Promise<Purified> {
    if (this.#isClosed) throw closed();
    const release = this.#places.take('body');
    if (!release) throw busy('Too many job bodies are being checked; send the request again.');
    try {
      this.#pool ??= new Pool();
      return await this.#pool.run(html, this.#settings.timeoutMs);
    } catch {
      throw this.#isClosed ? closed() : busy('The body could not be checked in time; send the request again.');
    } finally {
      release();
    }
  }
}
