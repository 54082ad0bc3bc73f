import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db } from '../../database/open.ts';
import type { Tx } from '../../database/transaction.ts';
import { type Entitlement, periodKey } from '../../domain/eligibility.ts';
import type { Tenant } from '../../domain/environment.ts';
import type { JobFields } from '../../domain/field-rules.ts';
import type { FieldHashes } from './fingerprint.ts';
import type { JobStatus, StoredJob } from './job.ts';
import { storedJobOfRow } from './job-columns-sql.ts';
import { type Decision, decisions } from './transitions.ts';

// Each change of a job is one call of a function in the database, which returns the reason of a refusal from the same statement.

/** prisma/functions.sql explains each of them. */
export type Refusal =
  | 'key'
  | 'category'
  | 'area'
  | 'district'
  | 'elsewhere'
  | 'quota'
  | 'missing'
  | 'status'
  | 'changed';

export interface Answer {
  /** If there are any, nothing has changed. */
  readonly refusals: readonly Refusal[];
  /** The stored job. Undefined if there is none. */
  readonly job: StoredJob | undefined;
  /** The hashes that a used idempotency key was used with; `job` is the job that it created. */
  readonly claimed: FieldHashes | null;
  /** The postings that use up the limit. */
  readonly counted: number | null;
}

/** With an underscore, with which no field of the contract begins. */
type Named<T> = { readonly [Key in keyof T & string as `_${Key}`]?: T[Key] };
type Row = Named<Omit<Answer, 'job'>> & (StoredJob | { readonly id: null });

/** Also a transaction's, see rowsIn. */
interface Rows {
  rows<T>(statement: Prisma.Sql): Promise<T[]>;
}

async function ask(db: Rows, columns: string, from: Prisma.Sql): Promise<Answer> {
  const [row = { id: null }] = await db.rows<Row>(
    Prisma.sql`SELECT ${Prisma.raw(columns)}, ${storedJobOfRow} FROM ${from}`,
  );
  const { _refusals: refusals = [], _claimed: claimed = null, _counted: counted = null, ...job } = row;
  return { refusals, claimed, counted, job: job.id === null ? undefined : job };
}

export const rowsIn = (tx: Tx): Rows => ({ rows: (statement) => tx.$queryRaw(statement) });

interface Change {
  readonly actor: string;
  readonly now: Date;
}

interface FieldsChange extends Change {
  readonly fields: JobFields;
  /** Whether the company's list of districts applies. */
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
 * Of two simultaneous creates with one key, the later one waits and then finds it used.
 */
export function createJob(db: Db, { companyId, environment }: Tenant, job: NewJob): Promise<Answer> {
  const { key, hashes, entitlement, checksDistricts, status, actor, now, fields } = job;
  const call = Prisma.sql`try_create_job(
    ${companyId}, ${environment}, ${key}, ${JSON.stringify(hashes)}, ${entitlement.allowance}, ${periodKey(entitlement)},
    ${entitlement.limit}, ${checksDistricts}, ${status}, ${actor}, ${now}, ${JSON.stringify(fields)})`;
  return ask(db, 'refusals AS _refusals, claimed AS _claimed, counted AS _counted', call);
}

/** Finds the hashes that a key was used with and the job that it created. */
export const findClaim = (db: Db, { companyId, environment }: Tenant, key: string): Promise<Answer> =>
  ask(
    db,
    'used.field_hashes AS _claimed',
    Prisma.sql`idempotency_keys AS used
      LEFT JOIN jobs AS job ON job.company_id = used.company_id AND job.environment = used.environment AND job.id = used.job_id
     WHERE used.company_id = ${companyId} AND used.environment = ${environment}::environment AND used.key = ${key}`,
  );

/** Returns which of `category`, `area` and `district` apply. Null is not checked. */
export async function findPlaceRefusals(
  db: Db,
  { companyId }: Tenant,
  category: number | null,
  district: number | null,
): Promise<readonly Refusal[]> {
  const [row] = await db.rows<{ refusals: Refusal[] }>(
    Prisma.sql`SELECT place_refusals(${companyId}, ${category}, ${district}, false) AS refusals`,
  );
  return row?.refusals ?? [];
}

export interface Update extends FieldsChange {
  /** The job must still be in this state. */
  readonly read: StoredJob;
  readonly status: JobStatus;
}

/** Writes the supplied fields and the status, if the job was not changed since it was read. */
export const updateJob = (db: Rows, tenant: Tenant, id: bigint, update: Update): Promise<Answer> =>
  changeJob(db, tenant, id, { kind: 'updated', ...update });

interface Decided extends Change {
  readonly decision: Decision;
  /** The job must still be in this state. Undefined means any other status than the new one. */
  readonly read?: StoredJob | undefined;
  /** The reason of a denial. */
  readonly reason?: string | null | undefined;
}

/** Changes the status of a job. */
export function decideJob(db: Rows, tenant: Tenant, id: bigint, { decision, ...decided }: Decided): Promise<Answer> {
  const { kind, to } = decisions[decision];
  return changeJob(db, tenant, id, { kind, status: to, checksDistricts: false, fields: {}, ...decided });
}

interface JobChange extends FieldsChange {
  readonly kind: 'updated' | (typeof decisions)[Decision]['kind'];
  readonly read?: StoredJob | undefined;
  readonly status: JobStatus;
  readonly reason?: string | null | undefined;
}

function changeJob(db: Rows, { companyId, environment }: Tenant, id: bigint, change: JobChange): Promise<Answer> {
  const { kind, read, status, reason = null, checksDistricts, actor, now, fields } = change;
  const readAt = read ? `${read.updated_at}Z` : null;
  const call = Prisma.sql`try_change_job(
    ${companyId}, ${environment}, ${id}, ${readAt}::timestamptz, ${read?.status ?? null}, ${checksDistricts}, ${status}, ${reason}, ${kind}, ${actor}, ${now}, ${JSON.stringify(fields)})`;
  return ask(db, 'refusals AS _refusals', call);
}

/** Deletes a job and its history for good. Its idempotency key stays reserved. Returns false if there is no such job. */
export async function deleteJob(tx: Tx, { companyId, environment }: Tenant, id: bigint): Promise<boolean> {
  const { count } = await tx.job.deleteMany({ where: { companyId, environment, id } });
  // After the job: a change that held the job's lock may have added an event.
  await tx.jobEvent.deleteMany({ where: { companyId, environment, jobId: id } });
  return count > 0;
}
