import type pg from 'pg';
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';

/** A transaction. A Db works too, for a single statement. */
export type Tx = Prisma.TransactionClient;

/**
 * The milliseconds that a transaction may wait for a connection, and may take. Returns a new object each time, because Prisma
 * modifies the object in a nested transaction.
 */
const options = () => ({ maxWait: 5_000, timeout: 10_000 });

/**
 * Runs `work` in a transaction, and rolls back if `work` throws. The isolation is READ COMMITTED: a statement after a lock sees
 * the changes that the lock waited for.
 */
export const inTransaction = <T>(db: Pick<PrismaClient, '$transaction'>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.$transaction(work, options());

/** Runs `work` in a transaction on one connection of the driver, and rolls back if `work` throws. */
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
