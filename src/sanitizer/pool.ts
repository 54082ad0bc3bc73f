import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Purified } from './purify.ts';

// One core is for the event loop.
export const threads = Math.min(2, Math.max(1, availableParallelism() - 1));

// Beside this file and in its own form: worker.ts when run by tsx, worker.js when compiled.
const workerUrl = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Worker threads with a DOM each, which start at once. */
export class Pool {
  readonly #piscina = new Piscina({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    // With atomics the worker's event loop never turns between two bodies, and jsdom's memory grows without end.
    atomics: 'disabled',
    // A worker needs none of the service's secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
  });
  /** Resolves when every worker has loaded: they all count as free from the start, so each gets one of these. */
  readonly ready: Promise<unknown> = Promise.allSettled(Array.from({ length: threads }, () => this.#piscina.run('')));
  #replaced: Promise<unknown> = Promise.resolve();
  /** Workers that were ended by a body. */
  ended = 0;

  constructor() {
    this.#piscina.on('workerDestroy', () => {
      this.ended += 1;
      this.#replaced = once(this.#piscina, 'workerCreate');
    });
    // A worker that fails outside of a body is replaced.
    this.#piscina.on('error', () => {});
  }

  /** Throws where the body is not done within `timeoutMs`; its worker is replaced then. */
  async run(html: string, timeoutMs: number): Promise<Purified> {
    await this.ready;
    return this.#piscina.run(html, { signal: AbortSignal.timeout(timeoutMs) });
  }

  /** Lets workers load first: one that is ended meanwhile may take the process with it (nodejs/node#38418). */
  async close(): Promise<void> {
    await Promise.all([this.ready, this.#replaced]);
    await this.#piscina.destroy();
  }
}
