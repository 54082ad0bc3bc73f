import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';

export interface Maintenance {
  /** `Retry-After` for clients. */
  readonly retryAfterSeconds: number;
}

export const retryAfterSecondsMax = 86_400;

const name = 'maintenance';

/** Undefined while the service is open. */
export async function readMaintenance(db: Rows): Promise<Maintenance | undefined> {
  const rows = await db.rows<{ value: Maintenance }>(
    Prisma.sql`SELECT value FROM service_state WHERE name = ${name} LIMIT 1`,
  );
  return rows[0]?.value;
}

/** Returns whether anything changed. */
export async function writeMaintenance(tx: Tx, maintenance: Maintenance | undefined): Promise<boolean> {
  const { count } = await tx.serviceState.deleteMany({ where: { name } });
  if (maintenance) await tx.serviceState.create({ data: { name, value: { ...maintenance } } });
  return count > 0 || maintenance !== undefined;
}
