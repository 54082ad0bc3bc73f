import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../database/open.ts';

const where = { name: 'session_secret' };

/**
 * The secrets of the cookies of page sessions. The first one signs: the database's, which the first start makes. A SESSION_SECRET, with
 * which the version before signed, is accepted beside it.
 */
export async function sessionSecrets(
  db: Db,
  { sessionSecret, dataDir }: { readonly sessionSecret: string | undefined; readonly dataDir: string },
): Promise<string[]> {
  const { value } = (await db.serviceState.findUnique({ where })) ?? (await makeSecret(db, dataDir));
  return sessionSecret === undefined ? [String(value)] : [String(value), sessionSecret];
}

/** Of simultaneous starts one makes it. The version before kept the embedded database's in a file. */
async function makeSecret(db: Db, dataDir: string) {
  const former = await readFile(join(dataDir, 'session-secret'), 'utf8').catch(() => '');
  const value = former.length >= 32 ? former : randomBytes(32).toString('base64url');
  await db.serviceState.createMany({ data: { ...where, value }, skipDuplicates: true });
  return db.serviceState.findUniqueOrThrow({ where });
}
