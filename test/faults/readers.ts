import { type Answer, ask } from './ask.ts';
import { Loops } from './loops.ts';

/** Clients that read one path repeatedly, with a pause between. */
export class Readers extends Loops {
  readonly answers: (Answer & { readonly at: number })[] = [];
  unanswered = 0;

  constructor(
    origin: string,
    token: string,
    { path, count, pauseMs }: { path: string; count: number; pauseMs: number },
  ) {
    super();
    const read = async (): Promise<void> => {
      const answer = await ask(origin, token, { path });
      if (answer) this.answers.push({ ...answer, at: performance.now() });
      else this.unanswered++;
    };
    for (let client = 0; client < count; client++) this.start(read, pauseMs);
  }
}
