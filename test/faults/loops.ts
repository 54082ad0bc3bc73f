import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats work until stopped. */
export class Loops {
  protected isStopped = false;
  readonly #running: Promise<void>[] = [];

  start(work: (round: number) => Promise<unknown>, pauseMs: number): void {
    const loop = async (): Promise<void> => {
      for (let round = 0; !this.isStopped; round++) {
        await work(round);
        await sleep(pauseMs);
      }
    };
    this.#running.push(loop());
  }

  /** Waits for the work that is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.#running);
  }
}
