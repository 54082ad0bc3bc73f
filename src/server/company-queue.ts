import { unavailable } from '../domain/errors.ts';
import type { Lifetime } from './request-context.ts';

interface Settings {
  /** How many places all companies together may take at the same time. */
  readonly max: number;
  /** How many places one company's work of each kind may take at the same time. */
  readonly companyMax: number;
  /** How long work may wait for its places. */
  readonly waitMs?: number;
}

/** Each kind has its own queue: reads must not wait for commits on a distant standby, nor pages for API requests. */
export type Kind = 'read' | 'change' | 'page' | 'unread small' | 'unread large' | 'unread file' | 'sign-in';

/** A company's id. For sign-ins, which have no company yet, their network address instead; for the files of one person, the person. */
export type Owner = bigint | string;

interface Waiting {
  readonly size: number;
  readonly start: () => void;
}

interface Queue {
  taken: number;
  /** First come, first served. */
  readonly waiting: Set<Waiting>;
}

const overloaded = () =>
  unavailable('overload', 'Too many requests are running at once; wait for their answers, or try again.', 1);

/** Limits how many places a company's work of each kind takes at once. Further work waits only for work of the same company and kind. */
export class CompanyQueue {
  readonly #max: number;
  readonly #companyMax: number;
  readonly #waitMs: number;
  readonly #queues = new Map<string, Queue>();
  #taken = 0;
  #refused = 0;

  constructor({ max, companyMax, waitMs = 10_000 }: Settings) {
    this.#max = max;
    this.#companyMax = companyMax;
    this.#waitMs = waitMs;
  }

  /** How many places all companies together take now. */
  get taken(): number {
    return this.#taken;
  }

  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs work in a place. The place is held until the work ends, even if the client leaves. The work learns whether it had to wait. Throws
   * what `enter` throws.
   */
  async run<T>(owner: Owner, kind: Kind, lifetime: Lifetime, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const wait = this.enter(owner, kind, lifetime);
    await wait;
    try {
      return await work(wait !== undefined);
    } finally {
      this.leave(owner, kind);
    }
  }

  /**
   * Takes `size` places, or returns a promise that waits for them. Throws 503 `overload` if the process has too few left. The promise
   * rejects with 503 `overload` after `waitMs`, or earlier if the lifetime ends.
   */
  enter(owner: Owner, kind: Kind, lifetime: Lifetime, size = 1): Promise<void> | undefined {
    const key = keyOf(owner, kind);
    const queue = this.#queues.get(key) ?? { taken: 0, waiting: new Set() };
    if (queue.waiting.size > 0 || !this.#fits(queue, size)) return this.#turn(queue, lifetime, size);
    if (this.#taken + size > this.#max) throw this.#refusal();
    this.#queues.set(key, queue);
    this.#take(queue, size);
    return undefined;
  }

  /** Frees `size` places. Then starts the queue's waiting work in order, until the next one does not fit. */
  leave(owner: Owner, kind: Kind, size = 1): void {
    const key = keyOf(owner, kind);
    const queue = this.#queues.get(key);
    if (!queue) throw new Error('nothing is taken');
    this.#take(queue, -size);
    this.#startWaiting(queue);
    if (queue.taken === 0) this.#queues.delete(key);
  }

  #startWaiting(queue: Queue): void {
    for (const next of queue.waiting) {
      if (!this.#fits(queue, next.size)) break;
      queue.waiting.delete(next);
      this.#take(queue, next.size);
      next.start();
    }
  }

  /** Work larger than `companyMax` fits only if the company runs nothing else of its kind. */
  #fits({ taken }: Queue, size: number): boolean {
    return taken === 0 || taken + size <= this.#companyMax;
  }

  #take(queue: Queue, size: number): void {
    queue.taken += size;
    this.#taken += size;
  }

  #turn(queue: Queue, lifetime: Lifetime, size: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const turn = { size, start };
      const giveUp = (): void => {
        clearTimeout(timer);
        if (!queue.waiting.delete(turn)) return;
        reject(this.#refusal());
        // Smaller work behind this one may fit.
        this.#startWaiting(queue);
      };
      const timer = setTimeout(giveUp, this.#waitMs);
      queue.waiting.add(turn);
      const forget = lifetime.onEnd(giveUp);
    });
  }

  #refusal() {
    this.#refused += 1;
    return overloaded();
  }
}

const keyOf = (owner: Owner, kind: Kind): string => `${owner} ${kind}`;
