import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Purified } from './purify.ts';
import type { Task } from './worker.ts';

// Reserves one core for the event loop.
export const threads = Math.min(2, Math.max(1, availableParallelism() - 1));

// worker.ts when run by tsx, worker.js when compiled.
const workerUrl = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Worker threads, each with a DOM. They start at once. */
export class Pool {
  readonly #piscina = new Piscina({
    filename: workerUrl.href,
    minThreads: threads,
    maxThreads: threads,
    // With atomics, the worker's event loop never runs between two bodies, and jsdom's memory grows without bound.
    atomics: 'disabled',
    // Workers need none of the service's secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
  });
  /** Resolves when every worker has loaded: all count as idle from the start, so each gets one of these tasks. */
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
    // Piscina replaces a worker that fails outside of a task.
    this.#piscina.on('error', () => {});
  }

  /** Throws after `timeoutMs` and replaces the worker. */
  async run(task: Task, timeoutMs: number): Promise<Purified> {
    await this.ready;
    return this.#piscina.run(task, { signal: AbortSignal.timeout(timeoutMs) });
  }

  /** Waits for workers to load: terminating one earlier may crash the process (nodejs/node#38418). */
  async close(): Promise<void> {
    await Promise.all([this.ready, this.#replaced]);
    await this.#piscina.destroy();
  }
}
