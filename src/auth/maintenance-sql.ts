import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import { unavailable } from '../domain/errors.ts';

export interface Maintenance {
  /** `Retry-After` for clients. */
  readonly retryAfterSeconds: number;
}

export const retryAfterSecondsMax = 86_400;

const name = 'maintenance';

/** Writes the mode, or its end. Returns the mode before. */
export async function writeMaintenance(tx: Tx, maintenance: Maintenance | undefined): Promise<Maintenance | undefined> {
  await tx.$executeRaw`LOCK TABLE service_state IN SHARE ROW EXCLUSIVE MODE`;
  const before = await tx.serviceState.findUnique({ where: { name } });
  await tx.serviceState.deleteMany({ where: { name } });
  if (maintenance) await tx.serviceState.create({ data: { name, value: { ...maintenance } } });
  return before?.value as Maintenance | undefined;
}

const intervalMs = 1000;
/** The limit of a read: while the coordinator hangs, companies on other nodes must not wait. */
const patienceMs = 500;

/** Reads maintenance mode from the database at most once a second. Keeps the last known state while the database is away or hangs. */
export class MaintenanceSwitch {
  readonly #db: Rows;
  /** Undefined while the service is open. */
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
      const [row] = await this.#db.rows<{ value: Maintenance }>(
        Prisma.sql`SELECT value FROM service_state WHERE name = ${name} LIMIT 1`,
      );
      this.#known = row?.value;
    } catch {
      // The credential lookup will report the outage.
    }
  }
}
