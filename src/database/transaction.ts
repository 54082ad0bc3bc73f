import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';

/** A transaction. A Db works too, for a single statement. */
export type Tx = Prisma.TransactionClient;

/** Runs `work` in a transaction on one connection of the driver. */
export async function allOrNone<T>(db: Pick<pg.ClientBase, 'query'>, work: () => Promise<T>): Promise<T> {
  await db.query('BEGIN');
  try {
    const result = await work();
    await db.query('COMMIT');
    return result;
  } catch (error) {
    await db.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
