import { setTimeout as sleep } from 'node:timers/promises';
import type { Rows } from '../database/open.ts';
import { isWritable } from '../database/pool.ts';

const timeoutMs = 1000;

/** Whether this process should be sent requests. */
export class Readiness {
  readonly #db: Rows;
  readonly #warm: () => Promise<void>;
  #retiring = false;

  /** `warm` resolves when the first requests are answered as fast as later ones. */
  constructor(db: Rows, warm: () => Promise<void>) {
    this.#db = db;
    this.#warm = warm;
  }

  /** The process is about to stop: not ready from now on. */
  retire(): void {
    this.#retiring = true;
  }

  async state(): Promise<'ready' | 'retiring' | 'database' | 'writable database'> {
    if (!this.#retiring) await this.#warm();
    if (this.#retiring) return 'retiring';
    const timedOut = sleep(timeoutMs, undefined, { ref: false });
    const writable = await Promise.race([isWritable(this.#db).catch(() => undefined), timedOut]);
    if (writable === undefined) return 'database';
    return writable ? 'ready' : 'writable database';
  }
}
