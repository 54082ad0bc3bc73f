/** The part of all slots that one company may hold. */
const companyShare = 1 / 4;

/** One request's slot. */
export interface Slot {
  /** Counts the slot towards its company; false where that holds its share already. Called at most once. */
  assign(companyId: bigint): boolean;
  release(): void;
}

/**
 * Limits the API requests being answered at the same time, and those of one company to a quarter of that (but two). A slot is held
 * until the answer has gone, so clients that do not read use up only their own company's share.
 */
export class InFlightLimit {
  readonly #max: number;
  readonly #companyMax: number;
  readonly #companies = new Map<bigint, number>();
  #inFlight = 0;
  #refused = 0;

  constructor(max: number) {
    this.#max = max;
    this.#companyMax = Math.max(Math.floor(max * companyShare), 2);
  }

  /**
   * Takes a slot; undefined where there is none. `claimedCompany` is the company that the request names, unproved: if it holds its
   * share already, the request is refused before any work.
   */
  take(claimedCompany: () => bigint | undefined): Slot | undefined {
    if (this.#inFlight >= this.#max || this.#isFull(claimedCompany())) {
      this.#refused += 1;
      return undefined;
    }
    this.#inFlight += 1;
    let holder: bigint | undefined;
    let isReleased = false;
    return {
      assign: (companyId) => {
        // The client went away while its credential was looked up.
        if (isReleased) return true;
        if (this.#isFull(companyId)) {
          this.#refused += 1;
          return false;
        }
        holder = companyId;
        this.#count(companyId, 1);
        return true;
      },
      release: () => {
        isReleased = true;
        this.#inFlight -= 1;
        if (holder !== undefined) this.#count(holder, -1);
      },
    };
  }

  figures(): { inFlight: number; refused: number } {
    return { inFlight: this.#inFlight, refused: this.#refused };
  }

  #isFull(companyId: bigint | undefined): boolean {
    return companyId !== undefined && (this.#companies.get(companyId) ?? 0) >= this.#companyMax;
  }

  #count(companyId: bigint, change: 1 | -1): void {
    const count = (this.#companies.get(companyId) ?? 0) + change;
    if (count > 0) this.#companies.set(companyId, count);
    else this.#companies.delete(companyId);
  }
}
