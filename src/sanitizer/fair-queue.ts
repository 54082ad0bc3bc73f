/** Runs at most `max` pieces of work at once. The companies take turns, and each company's work starts in the order of its calls. */
export class FairQueue {
  readonly #max: number;
  /** The functions that start waiting work, by company. The first company in the map is the next to start one. */
  readonly #waiting = new Map<bigint, Set<() => void>>();
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#running;
  }

  /** Rejects with the signal's reason if the signal aborts before the work has begun. */
  async run<T>(companyId: bigint, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#max) this.#running += 1;
    else await this.#turn(companyId, signal);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #turn(companyId: bigint, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(companyId) ?? new Set();
    this.#waiting.set(companyId, waiting);
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(start);
        reject(signal.reason);
      };
      waiting.add(start);
      signal.addEventListener('abort', leave);
    });
  }

  /** Gives the free place to the next company, whose other work then waits behind all other companies. */
  #passOn(): void {
    for (const [companyId, waiting] of this.#waiting) {
      this.#waiting.delete(companyId);
      const [start] = waiting;
      if (!start) continue;
      waiting.delete(start);
      if (waiting.size > 0) this.#waiting.set(companyId, waiting);
      start();
      return;
    }
    this.#running -= 1;
  }
}
