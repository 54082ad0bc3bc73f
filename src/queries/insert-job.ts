import { Prisma } from '../../generated/prisma/client.ts';
import { isUniqueViolation } from '../database/errors.ts';
import type { Db } from '../database/open.ts';
import type { Entitlement } from '../domain/eligibility.ts';
import type { Tenant } from '../domain/environment.ts';
import type { FieldHashes } from '../domain/fingerprint.ts';
import type { JobStatus, StoredJob } from '../domain/job.ts';
import { sentColumns, storedJob, writableColumns } from './job-columns.ts';
import { insertEvent } from './job-events.ts';
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
  readonly fields: { readonly category_id: number; readonly district_id: number };
}

/**
 * Consumes one posting, inserts the job with its first event and binds the idempotency key, all in one statement.
 * Returns undefined and changes nothing if the key is taken, the limit is used up, or the category or district cannot be used; the caller
 * finds out which. Of two simultaneous creates with one key, the later one waits and gets undefined.
 */
export async function insertJob(db: Db, job: NewJob): Promise<StoredJob | undefined> {
  const { companyId, environment } = job.tenant;
  try {
    const [inserted] = await db.rows<StoredJob>(Prisma.sql`
      WITH posting AS (${consumePosting(job)}),
      inserted AS (
        INSERT INTO jobs (company_id, environment, status, created_at, updated_at, ${writableColumns})
        SELECT ${companyId}::bigint, ${environment}::environment, ${job.status}::job_status,
               ${job.now}::timestamptz, ${job.now}::timestamptz, ${sentColumns}
          FROM posting, jsonb_populate_record(NULL::jobs, ${JSON.stringify(job.fields)}::jsonb) AS sent
        RETURNING *),
      event AS (${insertEvent('inserted', 'created', job.actor)}),
      bound AS (
        INSERT INTO idempotency_keys (company_id, environment, key, field_hashes, job_id, created_at)
        SELECT company_id, environment, ${job.key}, ${JSON.stringify(job.hashes)}::jsonb, id, created_at FROM inserted)
      SELECT ${storedJob} FROM inserted`);
    return inserted;
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}

/** The conditional upsert decides simultaneous creates: each waits for the row's lock and sees the count of the one before. */
function consumePosting({ tenant, key, entitlement, checksDistricts, fields }: NewJob): Prisma.Sql {
  const { companyId, environment } = tenant;
  const { allowance, limit } = entitlement;
  return Prisma.sql`
    INSERT INTO posting_usage AS usage (company_id, allowance, period_start, used)
    SELECT ${companyId}::bigint, ${allowance}::allowance, ${periodKey(entitlement)}::date, 1
     WHERE ${limit}::int <> 0
       AND NOT EXISTS (SELECT FROM idempotency_keys
                        WHERE company_id = ${companyId} AND environment = ${environment}::environment AND key = ${key})
       AND EXISTS (SELECT FROM categories child JOIN categories area ON area.id = child.parent_id
                    WHERE child.id = ${fields.category_id}::int AND child.active AND area.active)
       AND EXISTS (SELECT FROM districts WHERE id = ${fields.district_id}::int)
       AND ${checksDistricts ? districtAllowed(companyId, fields.district_id) : Prisma.sql`true`}
    ON CONFLICT (company_id, allowance, period_start)
      DO UPDATE SET used = usage.used + 1 WHERE ${limit}::int < 0 OR usage.used < ${limit}::int
    RETURNING 1`;
}

const districtAllowed = (companyId: bigint, districtId: number): Prisma.Sql => Prisma.sql`(
  NOT EXISTS (SELECT FROM allowed_districts WHERE company_id = ${companyId})
  OR EXISTS (SELECT FROM allowed_districts WHERE company_id = ${companyId} AND district_id = ${districtId}::int))`;

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
