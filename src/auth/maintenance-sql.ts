import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import { unavailable } from '../domain/errors.ts';

export interface Maintenance {
  /** `Retry-After` for clients. */
  readonly retryAfterSeconds: number;
  /** When maintenance began, to show to people. Undefined if the previous version began it. */
  readonly since?: string | undefined;
  /** When maintenance should end. It does not end by itself. */
  readonly until?: string | undefined;
  readonly reason?: string | undefined;
}

export const retryAfterSecondsMax = 86_400;

const name = 'maintenance';

/** The mode as stored now. Undefined while the service is open. */
export const findMaintenance = async (tx: Tx) =>
  (await tx.serviceState.findUnique({ where: { name } }))?.value as Maintenance | undefined;

/** Begins maintenance, or changes it but not its `since`. Ends maintenance if `begun` is undefined. Returns the mode before and after. */
export async function writeMaintenance(tx: Tx, begun: Maintenance | undefined) {
  await tx.$executeRaw`LOCK TABLE service_state IN SHARE ROW EXCLUSIVE MODE`;
  const before = await findMaintenance(tx);
  const after = begun && { ...begun, since: before?.since ?? begun.since };
  await tx.serviceState.deleteMany({ where: { name } });
  if (after) await tx.serviceState.create({ data: { name, value: { ...after } } });
  return { before, after };
}

const intervalMs = 1000;
/** The longest wait for a read. Without this limit, a hanging coordinator would delay the requests of companies on healthy nodes. */
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
    const mode = await this.known(now);
    if (mode)
      throw unavailable('maintenance', 'The service is in maintenance; try again later.', mode.retryAfterSeconds);
  }

  /** The mode, at most a second old; undefined while the service is open. */
  async known(now: Date): Promise<Maintenance | undefined> {
    if (Math.abs(now.getTime() - this.#readAt) >= intervalMs) {
      await this.current();
      this.#readAt = now.getTime();
    }
    return this.#known;
  }

  /** Reads the mode now. Returns the last known mode if the read fails or takes too long. */
  async current(): Promise<Maintenance | undefined> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    await Promise.race([this.#reading, sleep(patienceMs, undefined, { ref: false })]);
    return this.#known;
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
