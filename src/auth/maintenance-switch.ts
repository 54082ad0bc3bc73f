import type { Rows } from '../database/open.ts';
import { unavailable } from '../domain/errors.ts';
import type { Maintenance } from '../domain/maintenance.ts';
import { readMaintenance } from '../queries/service-state.ts';

const readEveryMs = 1000;

/** Whether the service is in maintenance, asked of the database at most once a second. While that cannot answer, what was known holds. */
export class MaintenanceSwitch {
  readonly #db: Rows;
  #known: Maintenance | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(db: Rows) {
    this.#db = db;
  }

  /** Refuses with 503 `maintenance`. */
  async check(now: Date): Promise<void> {
    if (Math.abs(now.getTime() - this.#readAt) >= readEveryMs) {
      this.#reading ??= this.#read(now).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    if (!this.#known) return;
    throw unavailable('maintenance', 'The service is in maintenance; try again later.', this.#known.retryAfterSeconds);
  }

  async #read(now: Date): Promise<void> {
    try {
      this.#known = await readMaintenance(this.#db);
    } catch {
      // The request itself finds out that the database is away.
    }
    this.#readAt = now.getTime();
  }
}
