/** The status that was sent, or that the connection ended first. */
export type Outcome = number | 'aborted';

/** A request from its head to its one end: its response has been sent or its client has left. What it waits for is given up there. */
export class Lifetime {
  readonly #listeners: ((outcome: Outcome) => void)[] = [];
  #outcome: Outcome | undefined;

  /** Called once at the end, also if that has passed. */
  onEnd(listener: (outcome: Outcome) => void): void {
    if (this.#outcome === undefined) this.#listeners.push(listener);
    else listener(this.#outcome);
  }

  /** Only the first call counts. */
  end(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (const listener of this.#listeners) listener(outcome);
  }
}
