import { CompanyQueue } from './company-queue.ts';
import type { Lifetime } from './request-context.ts';

/** In characters: room for two answers with the longest lists. */
const companyMax = 32 * 1024 * 1024;
const processMax = 8 * companyMax;
/** In characters. An answer that is not a list is smaller, even over MCP. Such answers have their own queue and do not wait for large ones. */
const largeFrom = 512 * 1024;

/**
 * Counts the characters of large answers that were made but not yet read. A client that reads slowly takes up room for such answers, but
 * none of its company's places for requests. It therefore delays only large answers: those of its company, or of all companies if the
 * process has no room left.
 */
export class UnreadAnswers {
  readonly #ofCompanies = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax });
  /** One queue for all companies, under the id 0. */
  readonly #ofProcess = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: processMax });

  get refused(): number {
    return this.#ofCompanies.refused + this.#ofProcess.refused;
  }

  /** Holds room for an answer until the lifetime ends. If there is no room yet, returns a promise, which may reject with 503 `overload`. */
  hold(companyId: bigint, characters: number, lifetime: Lifetime): Promise<void> | undefined {
    const kind = characters < largeFrom ? 'unread small' : 'unread large';
    const take = (queue: CompanyQueue, id: bigint): Promise<void> | undefined => {
      const release = (): void => lifetime.onEnd(() => queue.leave(id, kind, characters));
      const wait = queue.enter(id, kind, lifetime, characters)?.then(release);
      if (wait === undefined) release();
      return wait;
    };
    const wait = take(this.#ofCompanies, companyId);
    return wait === undefined ? take(this.#ofProcess, 0n) : wait.then(() => take(this.#ofProcess, 0n));
  }
}
