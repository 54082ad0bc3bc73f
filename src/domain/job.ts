import type { components } from '../../generated/openapi.ts';
import { type Day, dateToDay } from './dates.ts';
import { jobNotFound } from './errors.ts';
import { type JobStatus, statusOn } from './status.ts';

type Job = components['schemas']['Job'];

/** A job as it is stored: the contract's fields under their own names, `status` as last written. */
export type StoredJob = Omit<Job, 'id' | 'company_name' | 'is_active' | 'created_at' | 'updated_at' | 'valid_until'> & {
  id: bigint;
  /** Counts the changes. */
  revision: number;
  created_at: Date;
  updated_at: Date;
  valid_until: Date | null;
};

/** An id as the database keeps it. Refuses with 404 what a number cannot hold exactly: no job has such an id. */
export function jobId(id: number): bigint {
  if (!Number.isSafeInteger(id)) throw jobNotFound();
  return BigInt(id);
}

const validUntil = (job: StoredJob): Day | null => (job.valid_until ? dateToDay(job.valid_until) : null);

export const currentStatus = (job: StoredJob, today: Day): JobStatus => statusOn(today, job.status, validUntil(job));

/** The job as section 2.1 shows it; an anonymous one hides its company. */
export function presentJob(stored: StoredJob, companyName: string, today: Day): Job {
  const { revision: _, ...job } = stored;
  const status = currentStatus(stored, today);
  return {
    ...job,
    id: Number(job.id),
    company_name: job.is_anonymous ? null : companyName,
    status,
    is_active: status === 'active',
    created_at: job.created_at.toISOString(),
    updated_at: job.updated_at.toISOString(),
    valid_until: validUntil(stored),
  };
}

/** The stored job as a caller would have sent it, for the rules between fields. */
export const asInput = (job: StoredJob): Record<string, unknown> => ({
  ...job,
  salary_min: job.salary_min === null ? null : Number(job.salary_min),
  salary_max: job.salary_max === null ? null : Number(job.salary_max),
});
