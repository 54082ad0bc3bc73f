/** The status that was sent, or that the connection ended first. */
export type Outcome = number | 'aborted';

/** A request, or one message of a batch, from its head to its one end. What it holds or waits for is given up there. */
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

  /** A part of this one, which ends with it at the latest. */
  part(): Lifetime {
    const part = new Lifetime();
    this.onEnd((outcome) => part.end(outcome));
    return part;
  }
}
