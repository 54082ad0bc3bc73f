import * as z from 'zod';
import { closedNow } from '../../companies/company-access.ts';
import { declare } from '../../kit/declare.ts';
import { reason, version } from '../../kit/fields.ts';
import { decide } from './decide-job.ts';
import { jobFields, locateJob, ofJob } from './show-job.ts';

const by = ['operator', 'administrator'] as const;

/** Publishes a pending production job. Throws `unknown_job`, `sandbox_job`, `not_pending` and `changed`. */
export const approveJob = declare({
  command: 'job approve',
  title: 'Publish a pending production job',
  label: 'Approve and publish',
  by,
  records: 'job.approved',
  input: z.object({ ...jobFields, version: version() }),
  subject: ofJob,
  run: async (ctx, { version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'approved', version),
  done: ({ status }) =>
    status === 'expired'
      ? 'Approved, but not published, because its last day has passed: {{title}}.'
      : 'Approved and published: {{title}}.',
});

/**
 * Denies a pending production job; the company sees the reason.
 * Throws `invalid_input`, `unknown_job`, `sandbox_job`, `not_pending` and `changed`.
 */
export const denyJob = declare({
  command: 'job deny',
  title: 'Send a pending production job back to its company',
  label: 'Deny',
  by,
  records: 'job.denied',
  input: z.object({
    ...jobFields,
    reason: reason().meta({ hint: 'The company sees it. Say what has to change.', example: 'The salary is missing.' }),
    version: version(),
  }),
  subject: ofJob,
  done: 'Denied: {{title}}. The company sees the reason.',
  run: async (ctx, { reason, version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'denied', version, reason),
});

/**
 * Sends a denied job to review again unchanged, like a PATCH that changes nothing. Throws `environment_closed` while the environment is closed to
 * the company, `unknown_job`, `sandbox_job`, `not_denied` and `changed`.
 */
export const resubmitJob = declare({
  command: 'job resubmit',
  title: 'Send a denied job to review again',
  label: 'Send to review again',
  by: [...by, 'main account'],
  records: 'job.resubmitted',
  input: z.object({ ...jobFields, version: version() }),
  subject: async (ctx, given) => {
    const ref = await locateJob(ctx, given);
    return { ...(await ofJob(ctx, ref)), ...(await closedNow(ctx, ref)) };
  },
  done: 'Waits for review again: {{title}}.',
  run: async (ctx, { version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'resubmitted', version),
});

/**
 * Makes a job pending again if its latest change is this person's approval or denial. Does nothing if the job is pending. The quota does not
 * change. Throws `unknown_job`, `sandbox_job`, `nothing_to_undo` and `changed`.
 */
export const undoReview = declare({
  command: 'job undo',
  title: 'Undo your approval or denial of a job',
  label: 'Undo',
  by,
  records: 'job.review_undone',
  input: z.object({ ...jobFields, version: version() }),
  subject: ofJob,
  done: 'Waits for review again: {{title}}.',
  run: async (ctx, { version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'undone', version),
});
