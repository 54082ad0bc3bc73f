/** The share of all slots that one company may hold. */
const companyShare = 1 / 4;

/** One request's slot. */
export interface Slot {
  /** Counts the slot towards its company; false if the company holds its share already. Called at most once. */
  assign(companyId: bigint): boolean;
  release(): void;
}

/**
 * Limits concurrent API requests, and those of one company to a quarter of them (at least two). A slot is held until the response is
 * sent, so clients that do not read use up only their own company's share. More are refused at once; ConcurrencyLimit makes them wait.
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
   * Takes a slot; undefined if none is free. `claimedCompany` is the company that the request names, not verified: if it holds its
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
        // The client disconnected during authentication.
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

  stats(): { inFlight: number; overloadRefusals: number } {
    return { inFlight: this.#inFlight, overloadRefusals: this.#refused };
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
