import type { Day } from './dates.ts';

export type JobStatus = 'pending' | 'active' | 'inactive' | 'expired' | 'denied';

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
export const statusOn = (today: Day, stored: JobStatus, validUntil: Day | null): JobStatus =>
  stored === 'active' && validUntil !== null && validUntil < today ? 'expired' : stored;
