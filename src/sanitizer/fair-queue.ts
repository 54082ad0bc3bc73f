/** Runs a few pieces of work at once: one of each company in turn, and those of one company in their order. */
export class FairQueue {
  readonly #max: number;
  /** The starts of waiting work, by company. The first company is the next to start one. */
  readonly #waiting = new Map<bigint, Set<() => void>>();
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get running(): number {
    return this.#running;
  }

  /** Rejects with the signal's reason if the work has not begun when it aborts. */
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

  /** Gives the place of ended work to the next company, which then waits behind all others. */
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
