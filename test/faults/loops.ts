import { setTimeout as sleep } from 'node:timers/promises';
import { History } from './history.ts';

/** Repeats work until stopped. */
export class Loops {
  isStopped = false;
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

  /** Waits for the work in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.#running);
  }
}

/** Clients that read one path repeatedly, with a pause between. */
export class Readers extends Loops {
  readonly history: History;

  constructor(origin: string, token: string, given: { path: string; count: number; pauseMs: number }) {
    super();
    this.history = new History(origin, token);
    for (let client = 0; client < given.count; client++)
      this.start(() => this.history.ask({ path: given.path }), given.pauseMs);
  }
}
