import type { components } from '../../../generated/openapi.ts';
import type { storedFields } from '../../../generated/stored-fields.ts';
import type { ApiContext } from '../../context.ts';
import type { Caller } from '../../domain/actor.ts';
import type { Day } from '../../domain/dates.ts';
import { notFound } from '../../domain/errors.ts';
import { rulesOf } from '../../domain/field-rules.ts';
import { etagOfJob, isEtagOfJob, versionOf } from '../../domain/job-version.ts';
import { assertMatches } from '../kit/api/if-match.ts';

/** The rules of a job's writable fields. */
export const jobRules = rulesOf('jobs');

export type JobStatus = components['schemas']['JobStatus'];
export type Job = components['schemas']['Job'];

/** A stored job: the contract's fields, with the stored `status`. presentJob adds the other properties of a Job. */
export type StoredJob = Pick<Job, keyof typeof storedFields.jobs | 'id' | 'is_anonymous' | 'status'> & {
  /** UTC with any number of decimals: `2026-03-01 10:20:30.5`. */
  created_at: string;
  updated_at: string;
};

/** Converts an id to the database's type. Throws 404 for a number that is not a safe integer: no job has such an id. */
export function jobId(id: number): bigint {
  if (!Number.isSafeInteger(id)) throw notFound('job');
  return BigInt(id);
}

/** The status to show: a job stored as `active` is expired once its last day has passed. In SQL: job-status-sql.ts. */
export const currentStatus = ({ status, valid_until: lastDay }: StoredJob, today: Day): JobStatus =>
  status === 'active' && lastDay !== null && lastDay < today ? 'expired' : status;

/** Turns a stored job into the job of section 2.1. An anonymous job hides its company. */
export function presentJob(stored: StoredJob, companyName: string | null, today: Day): Job {
  const status = currentStatus(stored, today);
  return {
    // New keys come before the spread, because V8 makes a new hidden class for each new key after it (7% of a list's CPU).
    company_name: stored.is_anonymous ? null : companyName,
    is_active: status === 'active',
    ...stored,
    status,
    created_at: instant(stored.created_at),
    updated_at: instant(stored.updated_at),
  };
}

/** The version of a stored job. It equals `versionOf` of the presented job. */
export const storedVersion = (stored: StoredJob, today: Day): string =>
  versionOf({ status: currentStatus(stored, today), updated_at: instant(stored.updated_at) });

/** An instant as JavaScript writes it: three decimals and the zone. */
const instant = (utc: string): string =>
  `${utc.slice(0, 10)}T${utc.slice(11, 19)}.${utc.slice(20, 23).padEnd(3, '0')}Z`;

/** The context of a job's checks and changes: a credential's own context, or one that is made for a person and the job's company. */
export interface JobContext extends Pick<ApiContext, 'db' | 'now' | 'today' | 'sanitizer'> {
  readonly actor: Pick<Caller, 'tenant' | 'companyName' | 'autoPublish'>;
}

/** The part of an operation's context that an answer needs. */
type Asked = Pick<ApiContext, 'actor' | 'today'>;

/** The body and headers of an answer that holds one job. `key` is the idempotency key that created it, if there is one. */
export function jobAnswer({ actor, today }: Asked, stored: StoredJob, key: string | undefined) {
  const data = presentJob(stored, actor.companyName, today);
  return { headers: headersOf(data, key), body: { data } };
}

const headersOf = (job: Job, key: string | undefined) => ({
  ETag: etagOfJob(job),
  ...(key === undefined ? {} : { 'Idempotency-Key': key }),
});

/** Throws 412 `changed` with the headers of jobAnswer if `ifMatch` is given and matches no current ETag of the job. */
export const assertUnchanged = (ifMatch: string | undefined, job: Job, key: string | undefined): void =>
  assertMatches(ifMatch, headersOf(job, key), { noun: 'job', isOurs: (tag) => isEtagOfJob(tag, job) });
