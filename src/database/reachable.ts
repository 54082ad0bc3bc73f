import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Rows } from './open.ts';

const patienceMs = 1000;

/** `read-only`: a standby, or a server that was told to take no writes. */
export type Reached = 'writable' | 'read-only' | 'away';

/** Whether the database answers within a second by the schema of this version, and takes writes. */
export async function reach(db: Rows): Promise<Reached> {
  const asked = db
    .rows<{ writable: boolean }>(
      Prisma.sql`SELECT current_setting('transaction_read_only') = 'off' AS writable
                   FROM _prisma_migrations WHERE finished_at IS NOT NULL LIMIT 1`,
    )
    .then(
      ([row]): Reached => (row ? (row.writable ? 'writable' : 'read-only') : 'away'),
      (): Reached => 'away',
    );
  return Promise.race([asked, sleep<Reached>(patienceMs, 'away', { ref: false })]);
}
