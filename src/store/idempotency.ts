import type { Tenant } from '../domain/environment.ts';
import type { FieldHashes } from '../domain/fingerprint.ts';
import type { Db } from './open.ts';

export interface ClaimedKey {
  readonly fieldHashes: FieldHashes;
  readonly jobId: bigint;
}

/** The record of a key that a create has bound, or undefined where the key is free. */
export async function findKey(db: Db, tenant: Tenant, key: string): Promise<ClaimedKey | undefined> {
  const { companyId, environment } = tenant;
  const row = await db.idempotencyKey.findFirst({
    where: { companyId, environment, key },
    select: { fieldHashes: true, jobId: true },
  });
  // The column is written by insertJob alone, always from FieldHashes.
  return row ? { fieldHashes: row.fieldHashes as FieldHashes, jobId: row.jobId } : undefined;
}
