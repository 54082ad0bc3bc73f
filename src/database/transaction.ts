import type { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from './open.ts';

/** The database inside one transaction; a Db will do where one statement is all. */
export type Tx = Prisma.TransactionClient;

/** Waiting for a connection, and the whole work, in milliseconds. */
const options = { maxWait: 5_000, timeout: 10_000 };

/** Does all of the work or, where it throws, nothing. READ COMMITTED: a statement after a lock sees what the lock waited for. */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => db.$transaction(work, options);
