import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { startDeadline } from './deadline.ts';
import type { Purified } from './purify.ts';
import type { SanitizerSettings } from './settings.ts';
import { closeTurns, createTurn } from './start-turn.ts';
import type { Task, WorkerData, WorkerMessage } from './worker.ts';

/** `deadline` and `died`: the body ended its worker. `late`: the worker did not begin. */
export type Outcome = Purified | { kind: 'deadline' } | { kind: 'died' } | { kind: 'late' };

interface Run {
  readonly outcome: Outcome;
  /** What the body has cost of a worker's processor. */
  readonly workMs: number;
}

export type PoolSettings = Pick<
  SanitizerSettings,
  'runningMax' | 'deadlineMs' | 'startMs' | 'reloadMs' | 'workerHeapMb'
>;

/** Two, because two bodies that end their workers come together more often than one: loading another takes seconds then. */
const spares = 2;

// Beside this file and in its own form: worker.ts when run by tsx, worker.js when compiled.
const workerUrl = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url);

/** Worker threads with a parser each, `spares` more than may run. They start with `start`, not with the service. */
export class Pool {
  readonly #settings: PoolSettings;
  readonly #onLoaded: () => void;
  readonly #onBegun = new Map<number, (thread: string | undefined) => void>();
  readonly #loaded = new WeakSet<Worker>();
  readonly #turn = createTurn();
  #piscina: Piscina | undefined;
  #whenWarm: (() => void)[] = [];
  #numbers = 0;
  #ended = 0;
  #isClosed = false;

  /** `onLoaded` is told of each worker that becomes ready. */
  constructor(settings: PoolSettings, onLoaded: () => void) {
    this.#settings = settings;
    this.#onLoaded = onLoaded;
  }

  start(): void {
    if (this.#piscina || this.#isClosed) return;
    this.#piscina = this.#open();
    this.#piscina.on('message', (message: WorkerMessage) => this.#hear(message));
    // A worker that fails outside of a body is replaced; if that does not help, bodies wait in vain and are refused with 503.
    this.#piscina.on('error', () => {});
  }

  /** Resolves when every worker is ready, or after `startMs`. */
  async warm(): Promise<void> {
    this.start();
    await this.#areLoaded();
  }

  /** Workers that have loaded the parser, busy or not. */
  loaded(): number {
    return this.#loadedWorkers().length;
  }

  /** Workers that were ended by a body. */
  ended(): number {
    return this.#ended;
  }

  /** Never throws; ends the worker when the deadline or `endBy` passes. To be called after `start` and only while a loaded worker has nothing to do. */
  async run(html: string, endBy: number): Promise<Run> {
    const task: Task = { number: this.#numbers++, html };
    const abort = new AbortController();
    const processorMs = this.#settings.deadlineMs;
    const late = setTimeout(() => abort.abort(), endBy - performance.now());
    let stopDeadline: (() => number) | undefined;
    this.#onBegun.set(task.number, (thread) => {
      clearTimeout(late);
      stopDeadline = startDeadline({ processorMs, endBy }, thread, () => abort.abort());
    });
    try {
      const purified: Purified | undefined = await this.#piscina?.run(task, { signal: abort.signal });
      return { outcome: purified ?? { kind: 'late' }, workMs: stopDeadline?.() ?? 0 };
    } catch {
      if (!stopDeadline || this.#isClosed) return { outcome: { kind: 'late' }, workMs: 0 };
      this.#ended += 1;
      const kind = abort.signal.aborted ? 'deadline' : 'died';
      return { outcome: { kind }, workMs: processorMs + this.#settings.reloadMs };
    } finally {
      clearTimeout(late);
      stopDeadline?.();
      this.#onBegun.delete(task.number);
    }
  }

  /** Lets workers that load come to an end first: one that is ended meanwhile may take the whole process with it (nodejs/node#38418). */
  async close(): Promise<void> {
    this.#isClosed = true;
    closeTurns(new Int32Array(this.#turn));
    await this.#areLoaded();
    await this.#piscina?.destroy();
  }

  /** Resolves when every worker is ready, or after `startMs`. */
  async #areLoaded(): Promise<void> {
    if (!this.#piscina || this.#isWarm()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#settings.startMs);
      this.#whenWarm.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #open(): Piscina {
    const threads = this.#settings.runningMax + spares;
    return new Piscina({
      filename: workerUrl.href,
      minThreads: threads,
      maxThreads: threads,
      idleTimeout: Number.POSITIVE_INFINITY,
      // Only a worker that has loaded: ending one that still loads, for a body that waited too long, would begin the loading anew.
      loadBalancer: (_task, workers) => {
        const ids = new Set(this.#loadedWorkers().map(({ threadId }) => threadId));
        return workers.find(({ id, currentUsage }) => currentUsage === 0 && ids.has(id)) ?? null;
      },
      // With atomics the worker's event loop never turns between two bodies, and jsdom's memory grows without end.
      atomics: 'disabled',
      recordTiming: false,
      // A worker needs none of the service's secrets.
      env: {},
      workerData: { turnMemory: this.#turn, threads } satisfies WorkerData,
      // A wide nursery: most of the time went to scavenges of DOM nodes.
      resourceLimits: {
        maxOldGenerationSizeMb: this.#settings.workerHeapMb,
        maxYoungGenerationSizeMb: 48,
        stackSizeMb: 4,
      },
    });
  }

  #hear(message: WorkerMessage): void {
    if (message.kind === 'begun') {
      this.#onBegun.get(message.number)?.(message.thread);
      return;
    }
    const worker = this.#piscina?.threads.find(({ threadId }) => threadId === message.threadId);
    if (worker) this.#loaded.add(worker);
    if (this.#isWarm()) for (const tell of this.#whenWarm.splice(0)) tell();
    this.#onLoaded();
  }

  #loadedWorkers(): Worker[] {
    return this.#piscina?.threads.filter((worker) => this.#loaded.has(worker)) ?? [];
  }

  #isWarm(): boolean {
    return this.loaded() >= this.#settings.runningMax + spares;
  }
}
