import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Work, watchWork } from './deadline.ts';
import type { Purified } from './purify.ts';
import type { SanitizerSettings } from './settings.ts';
import { closeTurns, createTurn } from './start-turn.ts';
import type { Task, WorkerData, WorkerMessage } from './worker.ts';

/** `deadline` and `died`: the body ended its worker. `late`: there was no answer in time, for whatever the machine was busy with. */
export type Outcome = Purified | { kind: 'deadline' } | { kind: 'died' } | { kind: 'late' };

/** Why a task is given up: its own processor time, or the time on the wall. */
type EndedBy = 'work' | 'wall';

/** Told once what a body has cost of a worker's processor, and of loading another worker. */
type OnWorked = (ms: number) => void;

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
  readonly #onFree: () => void;
  readonly #onBegun = new Map<number, (thread: string | undefined) => void>();
  readonly #loaded = new WeakSet<Worker>();
  readonly #turn = createTurn();
  #piscina: Piscina | undefined;
  #whenWarm: (() => void)[] = [];
  #numbers = 0;
  #ended = 0;
  /** Bodies that are still at work after their answer. */
  #late = 0;
  #isClosed = false;

  /** `onFree` is told of each worker that becomes ready, or is done with a late body. */
  constructor(settings: PoolSettings, onFree: () => void) {
    this.#settings = settings;
    this.#onFree = onFree;
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

  /** Workers that have loaded the parser and may be given a body, those that run one in time among them. */
  free(): number {
    return this.#loadedWorkers().length - this.#late;
  }

  /** Workers that were ended by a body. */
  ended(): number {
    return this.#ended;
  }

  /**
   * Never throws; `late` at `endBy`. The worker then works on, until it is done or has used up the body's processor time: ending it
   * would cost a busy machine more. To be called after `start` and only while `free` workers are more than those that run.
   */
  async run(html: string, endBy: number, onWorked: OnWorked): Promise<Outcome> {
    const task: Task = { number: this.#numbers++, html };
    const abort = new AbortController();
    let work: Work | undefined;
    let isLate = false;
    // Where the processor time is not known, nothing but the wall clock ends a body.
    const endUnknown = (): void => {
      if (isLate && work && work.usedMs() === undefined) abort.abort('wall' satisfies EndedBy);
    };
    this.#onBegun.set(task.number, (thread) => {
      work = watchWork(this.#settings.deadlineMs, thread, () => abort.abort('work' satisfies EndedBy));
      endUnknown();
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        this.#late += 1;
        endUnknown();
        resolve({ kind: 'late' });
      }, endBy - performance.now());
    });
    const worked = this.#work(task, abort.signal, () => work, onWorked).finally(() => {
      clearTimeout(timer);
      work?.stop();
      this.#onBegun.delete(task.number);
      if (!isLate) return;
      this.#late -= 1;
      this.#onFree();
    });
    return Promise.race([worked, late]);
  }

  async #work(task: Task, signal: AbortSignal, work: () => Work | undefined, onWorked: OnWorked): Promise<Outcome> {
    const begunAt = performance.now();
    try {
      const purified: Purified | undefined = await this.#piscina?.run(task, { signal });
      if (purified) onWorked(work()?.usedMs() ?? performance.now() - begunAt);
      return purified ?? { kind: 'late' };
    } catch {
      if (!work() || this.#isClosed) return { kind: 'late' };
      this.#ended += 1;
      if (signal.reason === ('wall' satisfies EndedBy)) return { kind: 'late' };
      onWorked(this.#settings.deadlineMs + this.#settings.reloadMs);
      return { kind: signal.aborted ? 'deadline' : 'died' };
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
    this.#onFree();
  }

  #loadedWorkers(): Worker[] {
    return this.#piscina?.threads.filter((worker) => this.#loaded.has(worker)) ?? [];
  }

  #isWarm(): boolean {
    return this.#loadedWorkers().length >= this.#settings.runningMax + spares;
  }
}
