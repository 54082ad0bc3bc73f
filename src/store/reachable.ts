import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from './open.ts';

const patienceMs = 1000;

/** Whether the database answers within a second, and by the schema of this version. */
export async function isReachable(db: Rows): Promise<boolean> {
  const asked = db.rows(Prisma.sql`SELECT 1 FROM _prisma_migrations WHERE finished_at IS NOT NULL LIMIT 1`).then(
    (rows) => rows.length > 0,
    () => false,
  );
  return Promise.race([asked, sleep(patienceMs, false, { ref: false })]);
}
