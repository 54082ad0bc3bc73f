/** The part of all places that one company may hold. */
const companyShare = 1 / 4;

/**
 * The requests of the API that are being answered, at most so many at the same time, and of one company at most a quarter of them (but
 * two). A place is held until the answer has gone, so clients that do not read use up their own company's places only.
 */
export class Load {
  readonly #max: number;
  readonly #companyMax: number;
  readonly #companies = new Map<bigint, number>();
  #fullCompanies = 0;
  #inFlight = 0;
  #refused = 0;

  constructor(max: number) {
    this.#max = max;
    this.#companyMax = Math.max(Math.floor(max * companyShare), 2);
  }

  /**
   * Takes a place; undefined where there is none. `claimedCompany` is the company that the request names, unproved: if that has its share
   * already, the request is refused here, before any work.
   */
  take(claimedCompany: () => bigint | undefined): Place | undefined {
    if (this.#inFlight < this.#max && !(this.#fullCompanies > 0 && this.#isFull(claimedCompany()))) {
      this.#inFlight += 1;
      return new Place(this);
    }
    this.#refused += 1;
    return undefined;
  }

  /** For Place: counts a place towards its company; false where that has its share already. */
  assign(companyId: bigint): boolean {
    if (this.#isFull(companyId)) {
      this.#refused += 1;
      return false;
    }
    this.#count(companyId, 1);
    if (this.#isFull(companyId)) this.#fullCompanies += 1;
    return true;
  }

  /** For Place. */
  giveBack(companyId: bigint | undefined): void {
    this.#inFlight -= 1;
    if (companyId === undefined) return;
    if (this.#isFull(companyId)) this.#fullCompanies -= 1;
    this.#count(companyId, -1);
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

/** One request's place. */
export class Place {
  readonly #load: Load;
  #companyId: bigint | undefined;

  constructor(load: Load) {
    this.#load = load;
  }

  /** Says whose request it is; false where that company has its share of places already. */
  assign(companyId: bigint): boolean {
    if (!this.#load.assign(companyId)) return false;
    this.#companyId = companyId;
    return true;
  }

  giveBack(): void {
    this.#load.giveBack(this.#companyId);
  }
}
