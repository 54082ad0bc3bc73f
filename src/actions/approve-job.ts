import { type ActionContext, recordedFor } from './context.ts';
import { judge, type Review } from './judge-job.ts';

/** Publishes a pending production job. Refuses with `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export function approveJob(ctx: ActionContext, review: Review): Promise<void> {
  const { companyId, environment, jobId } = review;
  return recordedFor(ctx, companyId, async (tx) => {
    await judge(tx, review, { status: 'active', denialReason: null, actor: ctx.actor, now: ctx.now });
    return { result: undefined, audit: { action: 'job.approved', environment, details: { job_id: Number(jobId) } } };
  });
}
