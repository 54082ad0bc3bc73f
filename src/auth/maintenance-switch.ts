import { setTimeout as sleep } from 'node:timers/promises';
import type { Rows } from '../database/open.ts';
import { unavailable } from '../domain/errors.ts';
import { type Maintenance, readMaintenance } from './maintenance-sql.ts';

const intervalMs = 1000;
/** On Citus a coordinator that hangs must not hold up the companies, which are on other nodes. */
const patienceMs = 500;

/** Reads maintenance mode from the database at most once a second. Keeps the last known state while the database is away or hangs. */
export class MaintenanceSwitch {
  readonly #db: Rows;
  #known: Maintenance | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(db: Rows) {
    this.#db = db;
  }

  /** Throws 503 `maintenance`. */
  async assertOff(now: Date): Promise<void> {
    if (now.getTime() - this.#readAt >= intervalMs) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await Promise.race([this.#reading, sleep(patienceMs, undefined, { ref: false })]);
      this.#readAt = now.getTime();
    }
    if (!this.#known) return;
    throw unavailable('maintenance', 'The service is in maintenance; try again later.', this.#known.retryAfterSeconds);
  }

  async #read(): Promise<void> {
    try {
      this.#known = await readMaintenance(this.#db);
    } catch {
      // The credential lookup will report the outage.
    }
  }
}
