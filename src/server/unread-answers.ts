import { CompanyQueue } from './company-queue.ts';
import type { Lifetime } from './request-context.ts';

/** Room for two answers of the longest lists. */
const companyMax = 32 * 1024 * 1024;
const processMax = 8 * companyMax;
/** An answer about one job is shorter, over MCP too, and does not wait for lists. */
const listFrom = 512 * 1024;

/**
 * Counts the characters of large answers that are made and not yet read. A client that reads slowly holds this room, and no place: only its
 * company's next large answers wait.
 */
export class UnreadAnswers {
  readonly #ofCompanies = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax });
  /** One queue for all. */
  readonly #ofProcess = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: processMax });

  get refused(): number {
    return this.#ofCompanies.refused + this.#ofProcess.refused;
  }

  /** Holds room for an answer until the lifetime ends. If it has to wait for room, returns that wait, which may throw 503 `overload`. */
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
