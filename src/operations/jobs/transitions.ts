import type { JobStatus } from './job.ts';

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

/** Each decision's kind of event, the status that the job must have before (null: any except the new one), and the new status. */
export const decisions = {
  approved: { kind: 'approved', from: 'pending', to: 'active' },
  denied: { kind: 'denied', from: 'pending', to: 'denied' },
  resubmitted: { kind: 'updated', from: 'denied', to: 'pending' },
  withdrawn: { kind: 'withdrawn', from: null, to: 'inactive' },
  undone: { kind: 'updated', from: null, to: 'pending' },
} as const;

export type Decision = keyof typeof decisions;
