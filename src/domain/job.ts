import type { components } from '../../generated/openapi.ts';
import type { Day } from './dates.ts';
import { jobNotFound } from './errors.ts';
import { type JobFields, rulesOf } from './job-rules.ts';

type Job = components['schemas']['Job'];

/** A job as it is stored: the contract's fields under their own names, `status` as last written. */
export type StoredJob = Omit<Job, 'company_name' | 'is_active' | 'created_at' | 'updated_at'> & {
  /** `2026-03-01 10:20:30.5`: UTC, with as many decimals as there are. */
  created_at: string;
  updated_at: string;
};

/** An id as the database keeps it. Refuses with 404 what a number cannot hold exactly: no job has such an id. */
export function jobId(id: number): bigint {
  if (!Number.isSafeInteger(id)) throw jobNotFound();
  return BigInt(id);
}

export const currentStatus = (job: StoredJob, today: Day): JobStatus => statusOn(today, job.status, job.valid_until);

/** The job as section 2.1 shows it; an anonymous one hides its company. */
export function presentJob(stored: StoredJob, companyName: string | null, today: Day): Job {
  const status = currentStatus(stored, today);
  return {
    // Keys that the row lacks come before the spread: after it each would cost V8 a new shape (7% of a list's CPU).
    company_name: stored.is_anonymous ? null : companyName,
    is_active: status === 'active',
    ...stored,
    status,
    created_at: instant(stored.created_at),
    updated_at: instant(stored.updated_at),
  };
}

/** With three decimals and the zone, as JavaScript writes it. */
const instant = (utc: string): string =>
  `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${utc.slice(20, 23).padEnd(3, '0')}Z`;

const decimalFields = [...rulesOf].flatMap(([field, { kind }]) =>
  kind === 'decimal' ? [field as keyof StoredJob] : [],
);

/** The stored job as a caller would have sent it, for the rules between fields: decimals as numbers. */
export function asInput(job: StoredJob): Record<string, unknown> {
  const decimals = decimalFields.map((field) => [field, job[field] === null ? null : Number(job[field])]);
  return { ...job, ...Object.fromEntries(decimals) };
}

/** What a new job has in the fields that are left out, where that is not null. */
export const jobDefaults: JobFields = Object.fromEntries(
  [...rulesOf].flatMap(([field, { default: value }]) => (value === undefined ? [] : [[field, value]])),
);

/** Whether fields as they would be stored differ from the job's: decimals count by value, lists by their items. */
export function changesFields(job: StoredJob, fields: JobFields): boolean {
  const stored = asInput(job);
  return Object.entries(fields).some(([field, value]) => JSON.stringify(value) !== JSON.stringify(stored[field]));
}

export type JobStatus = components['schemas']['JobStatus'];

/** What a PATCH makes of each status (section 3): with review by an administrator, and with auto-publish authorization. */
const patched: Readonly<Record<JobStatus, { reviewed: JobStatus; autoPublished: JobStatus }>> = {
  pending: { reviewed: 'pending', autoPublished: 'pending' },
  active: { reviewed: 'pending', autoPublished: 'active' },
  inactive: { reviewed: 'inactive', autoPublished: 'inactive' },
  expired: { reviewed: 'expired', autoPublished: 'expired' },
  denied: { reviewed: 'pending', autoPublished: 'pending' },
};

export const statusAfterPatch = (status: JobStatus, autoPublish: boolean): JobStatus =>
  patched[status][autoPublish ? 'autoPublished' : 'reviewed'];

/** The status that a reader sees: an active job whose last day has passed is expired, whatever is stored. */
const statusOn = (today: Day, stored: JobStatus, validUntil: Day | null): JobStatus =>
  stored === 'active' && validUntil !== null && validUntil < today ? 'expired' : stored;
