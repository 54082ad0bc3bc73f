import type { Db } from '../database/open.ts';

/** Tables whose rows are often written again or deleted. The others grow by what their companies keep. */
const tables = ['page_sessions', 'rate_limits', 'posting_usage', 'credentials', 'request_log'];

/** Makes the space of old row versions usable again, one table at a time. For the embedded database, which has no autovacuum. */
export async function vacuum(db: Db): Promise<void> {
  for (const table of tables) await db.$executeRawUnsafe(`VACUUM (ANALYZE) ${table}`);
}
