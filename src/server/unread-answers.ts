import { CompanyQueue, type Kind, type Owner } from './company-queue.ts';
import type { Lifetime } from './request-context.ts';

/** In characters: room for two answers with the longest lists. */
const companyMax = 32 * 1024 * 1024;
const processMax = 8 * companyMax;
/** In characters. An answer that is not a list is smaller, even over MCP. Such answers have their own queue and do not wait for large ones. */
const largeFrom = 512 * 1024;

/** In characters: at least the rows that an open file holds, and the one that its client has not read. See `rowsAtOnce`. */
export const fileCharacters = companyMax / 8;
/** Two open files. A person's clients that read slowly leave room for the files of others. */
const personMax = 2 * fileCharacters;

/**
 * Counts the characters of large answers that were made but not yet read, and those that files hold while they are sent. A client that reads
 * slowly takes up this room, but none of its company's places for requests. It therefore delays only answers of the same kind: those of its
 * company, for files those of its person, or of all companies if the process has no room left.
 */
export class UnreadAnswers {
  readonly #ofCompanies = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax });
  readonly #ofPeople = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: personMax });
  /** One queue for all companies, under the id 0. */
  readonly #ofProcess = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: processMax });

  get refused(): number {
    return this.#ofCompanies.refused + this.#ofPeople.refused + this.#ofProcess.refused;
  }

  /** Holds room for an answer until the lifetime ends. If there is no room yet, returns a promise, which may reject with 503 `overload`. */
  hold(companyId: bigint, characters: number, lifetime: Lifetime): Promise<void> | undefined {
    const kind = characters < largeFrom ? 'unread small' : 'unread large';
    return take([this.#ofCompany(companyId), this.#wholeProcess], { kind, characters, lifetime });
  }

  /** Holds room for a file, as `hold` does for an answer. `person` is a key of its own for each person; an administrator has no company. */
  holdFile(person: string, companyId: bigint | undefined, lifetime: Lifetime): Promise<void> | undefined {
    const ofCompany = companyId === undefined ? [] : [this.#ofCompany(companyId)];
    const rooms = [{ queue: this.#ofPeople, owner: person }, ...ofCompany, this.#wholeProcess];
    return take(rooms, { kind: 'unread file', characters: fileCharacters, lifetime });
  }

  #ofCompany(companyId: bigint): Room {
    return { queue: this.#ofCompanies, owner: companyId };
  }

  get #wholeProcess(): Room {
    return { queue: this.#ofProcess, owner: 0n };
  }
}

interface Room {
  readonly queue: CompanyQueue;
  readonly owner: Owner;
}

interface Held {
  readonly kind: Kind;
  readonly characters: number;
  readonly lifetime: Lifetime;
}

/** Takes room in each, one after the other. */
function take([room, ...others]: readonly Room[], held: Held): Promise<void> | undefined {
  if (!room) return undefined;
  const { queue, owner } = room;
  const { kind, characters, lifetime } = held;
  const wait = queue.enter(owner, kind, lifetime, characters);
  const goOn = (): Promise<void> | undefined => {
    lifetime.onEnd(() => queue.leave(owner, kind, characters));
    return take(others, held);
  };
  return wait === undefined ? goOn() : wait.then(goOn);
}
