import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../database/open.ts';

const where = { name: 'session_secret' };

/**
 * Returns the secrets of page-session cookies. The first secret signs; it is made at the first start and kept in the database. Cookies
 * signed with SESSION_SECRET, a former setting, are accepted too.
 */
export async function sessionSecrets(
  db: Db,
  { sessionSecret, dataDir }: { readonly sessionSecret: string | undefined; readonly dataDir: string },
): Promise<string[]> {
  const { value } = (await db.serviceState.findUnique({ where })) ?? (await makeSecret(db, dataDir));
  return sessionSecret === undefined ? [String(value)] : [String(value), sessionSecret];
}

/** If several processes start at once, they share one secret. With an embedded database, the previous version kept it in a file. */
async function makeSecret(db: Db, dataDir: string) {
  const former = await readFile(join(dataDir, 'session-secret'), 'utf8').catch(() => '');
  const value = former.length >= 32 ? former : randomBytes(32).toString('base64url');
  await db.serviceState.createMany({ data: { ...where, value }, skipDuplicates: true });
  return db.serviceState.findUniqueOrThrow({ where });
}
