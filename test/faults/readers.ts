import { History } from './history.ts';
import { Loops } from './loops.ts';

/** Clients that read one path repeatedly, with a pause between. */
export class Readers extends Loops {
  readonly history: History;

  constructor(
    origin: string,
    token: string,
    { path, count, pauseMs }: { path: string; count: number; pauseMs: number },
  ) {
    super();
    this.history = new History(origin, token);
    for (let client = 0; client < count; client++) this.start(() => this.history.ask({ path }), pauseMs);
  }
}
