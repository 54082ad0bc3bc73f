/** The requests of the API that are being answered, at most so many at the same time. */
export class Load {
  readonly #max: number;
  #inFlight = 0;
  #refused = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place, to be given back; false where there is none. */
  take(): boolean {
    const isFree = this.#inFlight < this.#max;
    if (isFree) this.#inFlight += 1;
    else this.#refused += 1;
    return isFree;
  }

  giveBack(): void {
    this.#inFlight -= 1;
  }

  figures(): { inFlight: number; refused: number } {
    return { inFlight: this.#inFlight, refused: this.#refused };
  }
}
