import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import type { Maintenance } from '../domain/maintenance.ts';

const name = 'maintenance';

/** Undefined where the service is open. */
export async function readMaintenance(db: Rows): Promise<Maintenance | undefined> {
  const rows = await db.rows<{ value: Maintenance }>(
    Prisma.sql`SELECT value FROM service_state WHERE name = ${name} LIMIT 1`,
  );
  return rows[0]?.value;
}

/** Tells whether it was otherwise before. */
export async function writeMaintenance(tx: Tx, maintenance: Maintenance | undefined): Promise<boolean> {
  const { count } = await tx.serviceState.deleteMany({ where: { name } });
  if (maintenance) await tx.serviceState.create({ data: { name, value: { ...maintenance } } });
  return count > 0 || maintenance !== undefined;
}
