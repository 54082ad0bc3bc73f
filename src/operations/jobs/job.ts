import type { components } from '../../../generated/openapi.ts';
import type { Day } from '../../domain/dates.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { type JobFields, rulesOf, storedValue } from '../../domain/job-rules.ts';

export type JobStatus = components['schemas']['JobStatus'];
type Job = components['schemas']['Job'];

/** A stored job: the contract's fields, with `status` as last written. */
export type StoredJob = Omit<Job, 'company_name' | 'is_active' | 'created_at' | 'updated_at'> & {
  /** UTC with any number of decimals: `2026-03-01 10:20:30.5`. */
  created_at: string;
  updated_at: string;
};

/** An id as the database stores it. Throws 404 for an id beyond the safe integers: no job has one. */
export function jobId(id: number): bigint {
  if (!Number.isSafeInteger(id)) throw jobNotFound();
  return BigInt(id);
}

/** The status to show: a stored `active` whose last day has passed is expired (in SQL: job-status-sql.ts). */
export const currentStatus = ({ status, valid_until: lastDay }: StoredJob, today: Day): JobStatus =>
  status === 'active' && lastDay !== null && lastDay < today ? 'expired' : status;

/** Turns a stored job into the job of section 2.1. An anonymous one hides its company. */
export function presentJob(stored: StoredJob, companyName: string | null, today: Day): Job {
  const status = currentStatus(stored, today);
  return {
    // New keys come before the spread: after it, each costs V8 a new hidden class (7% of a list's CPU).
    company_name: stored.is_anonymous ? null : companyName,
    is_active: status === 'active',
    ...stored,
    status,
    created_at: instant(stored.created_at),
    updated_at: instant(stored.updated_at),
  };
}

/** An instant as JavaScript writes it: three decimals and the zone. */
const instant = (utc: string): string =>
  `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${utc.slice(20, 23).padEnd(3, '0')}Z`;

const decimalFields = [...rulesOf].flatMap(([field, { kind }]) =>
  kind === 'decimal' ? [field as keyof StoredJob] : [],
);

/** A stored job as a caller would send it, with decimals as numbers, for the rules between fields. */
export function asInput(job: StoredJob): Record<string, unknown> {
  const decimals = decimalFields.map((field) => [field, job[field] === null ? null : Number(job[field])]);
  return { ...job, ...Object.fromEntries(decimals) };
}

/** The defaults of a new job's fields, except null. */
export const jobDefaults: JobFields = Object.fromEntries(
  [...rulesOf].flatMap(([field, { default: value }]) => (value === undefined ? [] : [[field, value]])),
);

/** Whether any field differs from the stored job's. Compares decimals by value and lists by their items. */
export function changesFields(job: StoredJob, fields: JobFields): boolean {
  const stored = asInput(job);
  return Object.entries(fields).some(
    ([field, value]) => JSON.stringify(storedValue(field, value)) !== JSON.stringify(stored[field]),
  );
}

/** The status after a PATCH (section 3), with review by an administrator and with auto-publish. */
const patched: Readonly<Record<JobStatus, { reviewed: JobStatus; autoPublished: JobStatus }>> = {
  pending: { reviewed: 'pending', autoPublished: 'pending' },
  active: { reviewed: 'pending', autoPublished: 'active' },
  inactive: { reviewed: 'inactive', autoPublished: 'inactive' },
  expired: { reviewed: 'expired', autoPublished: 'expired' },
  denied: { reviewed: 'pending', autoPublished: 'pending' },
};

export const jobStatuses = Object.keys(patched) as JobStatus[];

export const statusAfterPatch = (status: JobStatus, autoPublish: boolean): JobStatus =>
  patched[status][autoPublish ? 'autoPublished' : 'reviewed'];

/** What people decide: the event that it leaves, the status that the job must have (null: any other than the new one), and the new one. */
export const decisions = {
  approved: { kind: 'approved', from: 'pending', to: 'active' },
  denied: { kind: 'denied', from: 'pending', to: 'denied' },
  resubmitted: { kind: 'updated', from: 'denied', to: 'pending' },
  withdrawn: { kind: 'withdrawn', from: null, to: 'inactive' },
} as const;

export type Decision = keyof typeof decisions;
