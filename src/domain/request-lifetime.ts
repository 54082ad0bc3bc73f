/** The status that was sent, or that the connection ended first. */
export type Outcome = number | 'aborted';

/**
 * A request from its head to its one end: its response has been sent or its client has left. What it waits for
 * is given up there. What it holds is held until its work has ended too: a client that leaves must not make room for more work.
 */
export class Lifetime {
  readonly #listeners: ((outcome: Outcome) => void)[] = [];
  readonly #held: (() => void)[] = [];
  #outcome: Outcome | undefined;
  /** The end and running work. */
  #awaited = 1;

  /** Called once at the end, also if that has passed. */
  onEnd(listener: (outcome: Outcome) => void): void {
    if (this.#outcome === undefined) this.#listeners.push(listener);
    else listener(this.#outcome);
  }

  /** Calls `release` once, after the end and all work. */
  hold(release: () => void): void {
    if (this.#awaited === 0) release();
    else this.#held.push(release);
  }

  /** Does work of the request. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#awaited += 1;
    return work().finally(() => this.#happened());
  }

  /** Only the first call counts. */
  end(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    for (const listener of this.#listeners) listener(outcome);
    this.#happened();
  }

  #happened(): void {
    this.#awaited -= 1;
    if (this.#awaited === 0) for (const release of this.#held.splice(0)) release();
  }
}
