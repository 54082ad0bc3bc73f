import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from './open.ts';

/** A transaction. A Db works too, for a single statement. */
export type Tx = Prisma.TransactionClient;

/** Milliseconds to wait for a connection, and for the whole transaction. Made anew each time: Prisma notes a nested transaction in it. */
const options = () => ({ maxWait: 5_000, timeout: 10_000 });

/** Runs `work` in a transaction; rolls back if it throws. READ COMMITTED: a statement after a lock sees what the lock waited for. */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => db.$transaction(work, options());
