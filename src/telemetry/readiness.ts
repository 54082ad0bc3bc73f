import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/open.ts';
import { isWritable } from '../database/pool.ts';
import { isLasting, type Log } from '../log.ts';

const timeoutMs = 1000;

/** The condition that is logged when a change finds the disk full. Reads still work. */
export const diskFull = 'the database has no disk space for changes';

type Blocked = 'retiring' | 'database' | 'writable database';

/** Whether a proxy should send this process requests. */
export class Readiness {
  readonly #database: Pick<Database, 'admission' | 'nodes'>;
  readonly #log: Log;
  #retiring = false;
  #asking: Promise<boolean | undefined> | undefined;

  constructor(database: Pick<Database, 'admission' | 'nodes'>, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Call when the process is about to stop. From then on, it is not ready. */
  retire(): void {
    this.#retiring = true;
  }

  /** `blocked` says why no request can be answered. `missing` names what is unavailable while the API still serves, such as nodes. */
  async state(): Promise<{ readonly blocked?: Blocked; readonly missing: readonly string[] }> {
    const blocked = await this.#blocked();
    if (blocked === 'retiring') return { blocked, missing: [] };
    const { all, missing } = await this.#database.nodes();
    // The nodes store the companies' data, and can answer the companies' requests without the coordinator.
    const isServing = all.length > 0 ? missing.length < all.length : blocked === undefined;
    if (!isServing) return { blocked: blocked ?? 'database', missing: [] };
    const isFull = isLasting(this.#log, diskFull);
    const parts = [...(isFull ? ['disk space'] : []), ...(blocked ? ['coordinator'] : [])];
    return { missing: [...parts, ...missing.map((node) => `node ${node}`)] };
  }

  async #blocked(): Promise<Blocked | undefined> {
    if (this.#retiring) return 'retiring';
    // Anybody may ask, as often as they like: those that ask at once share one query.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    const writable = await this.#asking;
    if (writable === undefined) return 'database';
    return writable ? undefined : 'writable database';
  }

  #ask(): Promise<boolean | undefined> {
    const timedOut = sleep(timeoutMs, undefined, { ref: false });
    return Promise.race([isWritable(this.#database.admission).catch(() => undefined), timedOut]);
  }
}
