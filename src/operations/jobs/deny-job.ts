import { lineOf } from '../check-input.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';
import { type Review, reviewJob } from './review-job.ts';

export const reasonCharactersMax = 1000;

/**
 * Sends a pending production job back; the company sees the reason.
 * Refuses with `invalid_input`, `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`.
 */
export function denyJob(ctx: ActionContext, review: Review & { readonly reason: string }): Promise<void> {
  const { companyId, environment, jobId } = review;
  const reason = lineOf('reason', review.reason, reasonCharactersMax);
  return recordedFor(ctx, companyId, async (tx) => {
    await reviewJob(tx, review, { status: 'denied', denialReason: reason, actor: ctx.actor, now: ctx.now });
    return {
      result: undefined,
      audit: { action: 'job.denied', environment, details: { job_id: Number(jobId), reason } },
    };
  });
}
