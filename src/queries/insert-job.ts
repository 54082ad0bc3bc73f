import { Prisma } from '../../generated/prisma/client.ts';
import { isUniqueViolation } from '../database/errors.ts';
import type { Db } from '../database/open.ts';
import type { Entitlement } from '../domain/eligibility.ts';
import type { Tenant } from '../domain/environment.ts';
import type { FieldHashes } from '../domain/fingerprint.ts';
import type { JobStatus, StoredJob } from '../domain/job.ts';
import type { JobFields } from '../domain/job-rules.ts';
import { storedJob } from './job-columns.ts';
import { periodKey } from './usage.ts';

export interface NewJob {
  readonly tenant: Tenant;
  readonly key: string;
  readonly hashes: FieldHashes;
  readonly entitlement: Entitlement;
  /** Whether the company's list of districts applies. */
  readonly checksDistricts: boolean;
  readonly status: JobStatus;
  readonly actor: string;
  readonly now: Date;
  readonly fields: JobFields;
}

/**
 * Consumes one posting, inserts the job with its first event and binds the idempotency key, all in one call.
 * Returns undefined and changes nothing if the key is taken, the limit is used up, or the category or district cannot be used; the caller
 * finds out which. Of two simultaneous creates with one key, the later one waits and gets undefined.
 */
export async function insertJob(db: Db, job: NewJob): Promise<StoredJob | undefined> {
  const { tenant, key, hashes, entitlement, checksDistricts, status, actor, now, fields } = job;
  try {
    const [inserted] = await db.rows<StoredJob>(Prisma.sql`
      SELECT ${storedJob} FROM create_job(
        ${tenant.companyId}, ${tenant.environment}, ${key}, ${JSON.stringify(hashes)}, ${entitlement.allowance},
        ${periodKey(entitlement)}, ${entitlement.limit}, ${checksDistricts}, ${status}, ${actor}, ${now}, ${JSON.stringify(fields)})`);
    return inserted;
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

export interface ClaimedKey {
  readonly fieldHashes: FieldHashes;
  readonly jobId: bigint;
}

/** Returns the record of an idempotency key, or undefined if the key is free. */
export async function findKey(db: Db, tenant: Tenant, key: string): Promise<ClaimedKey | undefined> {
  const { companyId, environment } = tenant;
  const rows = await db.rows<{ fieldHashes: FieldHashes; jobId: string }>(Prisma.sql`
    SELECT field_hashes AS "fieldHashes", job_id AS "jobId" FROM idempotency_keys
     WHERE company_id = ${companyId} AND environment = ${environment}::environment AND key = ${key}`);
  return rows[0] && { ...rows[0], jobId: BigInt(rows[0].jobId) };
}
