import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { Tenant } from '../domain/environment.ts';
import type { FieldHashes } from '../domain/fingerprint.ts';

export interface ClaimedKey {
  readonly fieldHashes: FieldHashes;
  readonly jobId: bigint;
}

/** The record of a key that a create has bound, or undefined where the key is free. */
export async function findKey(db: Db, tenant: Tenant, key: string): Promise<ClaimedKey | undefined> {
  const { companyId, environment } = tenant;
  const rows = await db.rows<{ fieldHashes: FieldHashes; jobId: string }>(Prisma.sql`
    SELECT field_hashes AS "fieldHashes", job_id AS "jobId" FROM idempotency_keys
     WHERE company_id = ${companyId} AND environment = ${environment}::environment AND key = ${key}`);
  return rows[0] && { ...rows[0], jobId: BigInt(rows[0].jobId) };
}
