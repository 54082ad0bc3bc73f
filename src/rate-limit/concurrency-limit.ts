import { unavailable } from '../domain/errors.ts';

interface Company {
  running: number;
  /** First come, first served. */
  readonly waiting: (() => void)[];
}

/**
 * Limits a company's concurrent work of one kind, such as bodies to sanitize: more waits for its turn. Other companies never wait for
 * it. InFlightLimit, over all API requests, refuses at once instead.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #companies = new Map<bigint, Company>();

  constructor(max: number, waitMs = 10_000) {
    this.#max = max;
    this.#waitMs = waitMs;
  }

  /** Resolves when work may start; its place is freed when `until` settles. Throws 503 `overload` after `waitMs`. */
  async enter(companyId: bigint, until: Promise<unknown>): Promise<void> {
    const company = this.#companies.get(companyId) ?? { running: 0, waiting: [] };
    this.#companies.set(companyId, company);
    if (company.running < this.#max) company.running += 1;
    else await this.#wait(company);
    const leave = (): void => this.#leave(companyId, company);
    until.then(leave, leave);
  }

  /** Waits for a place, then runs the work. Throws 503 `overload` after `waitMs`. */
  async run<T>(companyId: bigint, work: () => Promise<T>): Promise<T> {
    let leave = (): void => {};
    await this.enter(companyId, new Promise<void>((resolve) => (leave = resolve)));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #wait({ waiting }: Company): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        const message = `${this.#max} such requests of this company are being answered; wait for these first.`;
        reject(unavailable('overload', message, 1));
      }, this.#waitMs);
      waiting.push(start);
    });
  }

  #leave(companyId: bigint, company: Company): void {
    const next = company.waiting.shift();
    if (next) {
      next();
      return;
    }
    company.running -= 1;
    if (company.running === 0) this.#companies.delete(companyId);
  }
}
