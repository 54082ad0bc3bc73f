import type { Log } from '../log.ts';

export interface ReachSettings {
  readonly backend: string;
  /** How long one request may wait for the shared counts. */
  readonly timeoutMs: number;
  /** How often it is tried whether they can be reached again. */
  readonly probeEveryMs: number;
  readonly probe: () => Promise<unknown>;
}

/**
 * Whether the counts that processes share can be reached. After one failure nobody asks until a probe has succeeded, so that requests
 * neither fail nor wait while Redis or the database is gone or slow.
 */
export class Reach {
  readonly #settings: ReachSettings;
  readonly #log: Log;
  #probing: NodeJS.Timeout | undefined;
  #fallbacks = 0;

  constructor(settings: ReachSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  get isDown(): boolean {
    return this.#probing !== undefined;
  }

  /** Counts made by this process alone because the shared ones did not answer. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  /** What `work` makes of the shared counts; undefined where they cannot be reached. */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.isDown) {
      try {
        return await within(this.#settings.timeoutMs, work());
      } catch (error) {
        this.lost(error);
      }
    }
    this.#fallbacks += 1;
    return undefined;
  }

  /** To be called also by a connection that breaks while nobody asks. */
  lost(error: unknown): void {
    if (this.isDown) return;
    const { backend, probeEveryMs } = this.#settings;
    this.#probing = setInterval(() => void this.#probe(), probeEveryMs).unref();
    this.#log.warn({ error, backend }, 'request limits are counted by this process alone');
  }

  close(): void {
    clearInterval(this.#probing);
  }

  async #probe(): Promise<void> {
    const { backend, probe, timeoutMs } = this.#settings;
    try {
      await within(timeoutMs, probe());
    } catch {
      return;
    }
    if (!this.isDown) return;
    clearInterval(this.#probing);
    this.#probing = undefined;
    this.#log.info({ backend }, 'request limits are shared again');
  }
}

/** A process that was busy reads the answers that have come in before it gives up: its own delay is not the other's. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(new Error(`no answer within ${ms} ms`))), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
