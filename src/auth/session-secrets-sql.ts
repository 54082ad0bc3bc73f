import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../database/open.ts';

const where = { name: 'session_secret' };

/**
 * Returns the secrets of page-session cookies. The first one signs; the first start makes it and the database keeps it. The version before
 * signed with SESSION_SECRET, which is accepted too.
 */
export async function sessionSecrets(
  db: Db,
  { sessionSecret, dataDir }: { readonly sessionSecret: string | undefined; readonly dataDir: string },
): Promise<string[]> {
  const { value } = (await db.serviceState.findUnique({ where })) ?? (await makeSecret(db, dataDir));
  return sessionSecret === undefined ? [String(value)] : [String(value), sessionSecret];
}

/** One of several simultaneous starts makes it. For the embedded database, the version before kept it in a file. */
async function makeSecret(db: Db, dataDir: string) {
  const former = await readFile(join(dataDir, 'session-secret'), 'utf8').catch(() => '');
  const value = former.length >= 32 ? former : randomBytes(32).toString('base64url');
  await db.serviceState.createMany({ data: { ...where, value }, skipDuplicates: true });
  return db.serviceState.findUniqueOrThrow({ where });
}
