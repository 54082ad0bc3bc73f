import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Day } from '../../domain/dates.ts';
import { type Entitlement, periodKey } from '../../domain/eligibility.ts';
import type { Environment, Tenant } from '../../domain/environment.ts';
import { RightsChanged } from '../../domain/errors.ts';
import type { Fields } from '../../domain/field-rules.ts';
import type { ReferenceRefusal } from '../../domain/reference-lists.ts';
import { hasExpired } from '../job-status-sql.ts';
import type { FieldHashes } from '../kit/api/fingerprint.ts';
import { judgedRights, type Writer } from '../kit/api/held-rights-sql.ts';
import type { JobStatus, StoredJob } from './job.ts';
import { type JobValues, storedJobOf, storedJobOfRow } from './job-columns-sql.ts';
import { type Decision, decisions } from './transitions.ts';

// A job is created and changed by one call of a database function, which also returns why it refused. Deletions are plain statements.

/** Why the database refused a change. prisma/functions.sql explains each reason. */
export type Refusal = ReferenceRefusal | 'key' | 'elsewhere' | 'quota' | 'missing' | 'status' | 'changed';

export interface Answer {
  /** If there is any refusal, nothing has changed. */
  readonly refusals: readonly Refusal[];
  /** The job as it is stored now. Undefined if it does not exist. */
  readonly job: StoredJob | undefined;
  /** The hashes that the idempotency key was used with, if it is already used. `job` is then the job that it created. */
  readonly claimed: FieldHashes | null;
  /** The table of the resource that a used key created; null for a job. Only findClaim selects it. */
  readonly resource: string | null;
  /** The number of postings counted against the limit. */
  readonly counted: number | null;
}

/** Each statement selects only some of these columns. */
type Row = Partial<Omit<Answer, 'job'>> & { readonly job: JobValues | null };

async function ask(tx: Tx, columns: string, from: Prisma.Sql, by?: Writer): Promise<Answer> {
  const statement = Prisma.sql`SELECT ${Prisma.raw(columns)}, ${storedJobOfRow} AS job FROM ${from}`;
  const [row] = await tx.$queryRaw<Row[]>(statement);
  if (by && !row) throw new RightsChanged();
  const { refusals = [], claimed = null, resource = null, counted = null, job } = row ?? {};
  return { refusals, claimed, resource, counted, job: job ? storedJobOf(job) : undefined };
}

/** The name and the first arguments of a function that changes jobs, for a request or for a person. */
const called = (name: string, { companyId }: Tenant, by?: Writer): Prisma.Sql =>
  by
    ? Prisma.sql`${Prisma.raw(name)}_as(${companyId}, ${judgedRights(by)}`
    : Prisma.sql`${Prisma.raw(name)}(${companyId}`;

interface Change {
  readonly actor: string;
  readonly now: Date;
  /** The request whose caller must still have its rights. A change by a person has none: it holds the company's lock. */
  readonly by?: Writer;
}

interface FieldsChange extends Change {
  readonly fields: Fields;
  /** Whether to check the district against the company's allowed districts. */
  readonly checksDistricts: boolean;
}

interface NewJob extends FieldsChange {
  readonly key: string;
  readonly hashes: FieldHashes;
  readonly entitlement: Entitlement;
  readonly status: JobStatus;
}

/**
 * Consumes one posting, inserts the job with its first event and binds the idempotency key.
 * If two creates with the same key run at once, the later one waits, and finds the key used if the first one succeeds.
 */
export function createJob(db: Db, tenant: Tenant, job: NewJob): Promise<Answer> {
  const { key, hashes, entitlement, checksDistricts, status, actor, now, fields, by } = job;
  const call = Prisma.sql`${called('try_create_job', tenant, by)},
    ${tenant.environment}, ${key}, ${JSON.stringify(hashes)}, ${entitlement.allowance}, ${periodKey(entitlement)},
    ${entitlement.limit}, ${checksDistricts}, ${status}, ${actor}, ${now}, ${JSON.stringify(fields)})`;
  return ask(db, 'refusals, claimed, counted', call, by);
}

/** Finds the hashes that a key was used with and the job that it created. */
export const findClaim = (db: Db, { companyId, environment }: Tenant, key: string): Promise<Answer> =>
  ask(
    db,
    'used.field_hashes AS claimed, used.resource',
    Prisma.sql`idempotency_keys AS used
      LEFT JOIN jobs AS job ON job.company_id = used.company_id AND job.environment = used.environment AND job.id = used.job_id
     WHERE used.company_id = ${companyId} AND used.environment = ${environment}::environment AND used.key = ${key}`,
  );

export interface Update extends FieldsChange {
  /** The job as it was read. If it has changed since, the update is refused. */
  readonly read: StoredJob;
  readonly status: JobStatus;
}

/** Writes the supplied fields and the status, if the job has not changed since it was read. */
export const updateJob = (tx: Tx, tenant: Tenant, id: bigint, update: Update): Promise<Answer> =>
  changeJob(tx, tenant, id, { kind: 'updated', ...update });

interface Decided extends Change {
  readonly decision: Decision;
  /**
   * The job as it was read. If it has changed since, the decision is refused. If `read` is undefined, the decision is refused only if the job
   * already has the new status.
   */
  readonly read?: StoredJob | undefined;
  /** The reason of a denial. */
  readonly reason?: string | null | undefined;
}

/** Changes the status of a job. */
export function decideJob(tx: Tx, tenant: Tenant, id: bigint, { decision, ...decided }: Decided): Promise<Answer> {
  const { kind, to } = decisions[decision];
  return changeJob(tx, tenant, id, { kind, status: to, checksDistricts: false, fields: {}, ...decided });
}

interface JobChange extends FieldsChange {
  readonly kind: 'updated' | (typeof decisions)[Decision]['kind'];
  readonly read?: StoredJob | undefined;
  readonly status: JobStatus;
  readonly reason?: string | null | undefined;
}

function changeJob(tx: Tx, tenant: Tenant, id: bigint, change: JobChange): Promise<Answer> {
  const { kind, read, status, reason = null, checksDistricts, actor, now, fields, by } = change;
  const readAt = read ? `${read.updated_at}Z` : null;
  const call = Prisma.sql`${called('try_change_job', tenant, by)},
    ${tenant.environment}, ${id}, ${readAt}::timestamptz, ${read?.status ?? null}, ${checksDistricts}, ${status}, ${reason}, ${kind}, ${actor}, ${now}, ${JSON.stringify(fields)})`;
  return ask(tx, 'refusals', call, by);
}

/** Permanently deletes a job and its history. Its idempotency key stays reserved. Returns false if there is no such job. */
export async function deleteJob(tx: Tx, { companyId, environment }: Tenant, id: bigint): Promise<boolean> {
  const { count } = await tx.job.deleteMany({ where: { companyId, environment, id } });
  // Events are deleted after the job: a change that held the job's lock until then may have added one.
  await tx.jobEvent.deleteMany({ where: { companyId, environment, jobId: id } });
  return count > 0;
}

/** Deletes up to `limit` of a company's jobs that ended before a time, and their history. Returns the number of deleted jobs. */
export async function deleteEndedJobs(
  tx: Tx,
  companyId: bigint,
  before: { readonly day: Day; readonly at: Date },
  limit: number,
): Promise<number> {
  const ended = Prisma.sql`${hasExpired(before.day)} OR status IN ('inactive', 'denied', 'expired') AND updated_at < ${before.at}`;
  const deleted = await tx.$queryRaw<{ environment: Environment; id: bigint }[]>`
    DELETE FROM jobs WHERE company_id = ${companyId} AND (${ended}) AND (environment, id) IN (
      SELECT environment, id FROM jobs WHERE company_id = ${companyId} AND (${ended}) ORDER BY id LIMIT ${limit})
    RETURNING environment, id`;
  for (const environment of ['sandbox', 'production'] as const) {
    const jobId = { in: deleted.flatMap((job) => (job.environment === environment ? [job.id] : [])) };
    if (jobId.in.length > 0) await tx.jobEvent.deleteMany({ where: { companyId, environment, jobId } });
  }
  return deleted.length;
}
