import { type ActionContext, recordedFor } from '../recorded.ts';
import { type Review, reviewJob } from './review-job.ts';

/** Publishes a pending production job. Refuses with `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export function approveJob(ctx: ActionContext, review: Review): Promise<void> {
  const { companyId, environment, jobId } = review;
  return recordedFor(ctx, companyId, async (tx) => {
    await reviewJob(tx, review, { status: 'active', denialReason: null, actor: ctx.actor, now: ctx.now });
    return { result: undefined, audit: { action: 'job.approved', environment, details: { job_id: Number(jobId) } } };
  });
}
