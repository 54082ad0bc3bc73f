import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ask } from './ask.ts';

/** Clients that read one path repeatedly, with a pause between. */
export class Readers {
  readonly answers: (Answer & { readonly at: number })[] = [];
  unanswered = 0;
  readonly #running: Promise<void>[];
  #stopped = false;

  constructor(
    origin: string,
    token: string,
    { path, count, pauseMs }: { path: string; count: number; pauseMs: number },
  ) {
    const readAlways = async (): Promise<void> => {
      while (!this.#stopped) {
        const answer = await ask(origin, token, { path });
        if (answer) this.answers.push({ ...answer, at: performance.now() });
        else this.unanswered++;
        await sleep(pauseMs);
      }
    };
    this.#running = Array.from({ length: count }, readAlways);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }
}
