import { unavailable } from '../domain/errors.ts';

/** The requests of the API that are being answered. Past the bound one more is refused before any work is done for it. */
export class Load {
  readonly #max: number;
  #inFlight = 0;
  #refused = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place, and gives what gives it back. Refuses with 503 `overload`. */
  take(): () => void {
    if (this.#inFlight >= this.#max) {
      this.#refused += 1;
      throw unavailable('overload', 'The service has more requests than it can answer; try again.', 1);
    }
    this.#inFlight += 1;
    return () => {
      this.#inFlight -= 1;
    };
  }

  figures(): { inFlight: number; refused: number } {
    return { inFlight: this.#inFlight, refused: this.#refused };
  }
}
