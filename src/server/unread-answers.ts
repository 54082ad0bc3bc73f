import { CompanyQueue } from './company-queue.ts';
import type { Lifetime } from './request-context.ts';

/** Two answers of the longest lists. */
const companyMax = 32 * 1024 * 1024;
const processMax = 8 * companyMax;
/** An answer about one job has fewer characters, also over MCP, and does not wait for lists. */
const listFrom = 512 * 1024;

/**
 * The characters of large answers that are made and not yet read. A client that reads slowly holds them as long as it likes, and no
 * place: only its company's next large answers wait.
 */
export class UnreadAnswers {
  readonly #ofCompanies = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax });
  /** One queue for all. */
  readonly #ofProcess = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: processMax });

  get refused(): number {
    return this.#ofCompanies.refused + this.#ofProcess.refused;
  }

  /** Holds room for an answer until the lifetime's end: at once, or after the wait that it returns, which throws 503 `overload`. */
  hold(companyId: bigint, characters: number, lifetime: Lifetime): Promise<void> | undefined {
    const kind = characters < listFrom ? 'unread job' : 'unread list';
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
