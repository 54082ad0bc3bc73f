import type { Tx } from '../database/transaction.ts';
import type { Queryable } from './reference-data.ts';
import { seedReferenceData } from './reference-data.ts';

/** Seeds through Prisma what seedReferenceData sends to a pg client; answers how many rows were missing. */
export async function seedMissing(tx: Tx): Promise<number> {
  let inserted = 0;
  const query = async (sql: string, values: readonly unknown[] = []) => {
    inserted += await tx.$executeRawUnsafe(sql, ...values);
  };
  // pg overloads `query` a dozen times; the seed uses this form alone and no result of it.
  await seedReferenceData({ query } as unknown as Queryable);
  return inserted;
}
