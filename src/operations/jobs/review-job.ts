import type { Tx } from '../../database/transaction.ts';
import type { Tenant } from '../../domain/environment.ts';
import { findJobState, type ReviewDecision, recordReview } from '../../queries/job-review.ts';
import { lineOf } from '../check-input.ts';
import { ActionError, unknownJob } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/** Publishes a pending production job. Refuses with `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export function approveJob(ctx: ActionContext, review: Review): Promise<void> {
  const { companyId, environment, jobId } = review;
  return recordedFor(ctx, companyId, async (tx) => {
    await reviewJob(tx, review, { status: 'active', denialReason: null, actor: ctx.actor, now: ctx.now });
    return { result: undefined, audit: { action: 'job.approved', environment, details: { job_id: Number(jobId) } } };
  });
}

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

export interface JobName extends Tenant {
  readonly jobId: bigint;
}

export interface Review extends JobName {
  /** The revision that the reviewer has read; left out, whatever stands is judged. */
  readonly revision?: number | undefined;
}

/** Refuses with `sandbox_job`, whose moderation is simulated, `unknown_job`, `not_pending` and `job_changed`. */
async function reviewJob(
  tx: Tx,
  { jobId, revision, ...tenant }: Review,
  decision: Omit<ReviewDecision, 'revision'>,
): Promise<void> {
  if (tenant.environment === 'sandbox')
    throw new ActionError('sandbox_job', 'Jobs of the sandbox stay pending: nobody reviews them.');
  if (await recordReview(tx, tenant, jobId, { ...decision, revision })) return;
  const state = await findJobState(tx, tenant, jobId);
  if (!state) throw unknownJob(jobId);
  if (state.status !== 'pending') throw new ActionError('not_pending', `The job is ${state.status}, not pending.`);
  throw new ActionError('job_changed', 'The job has changed since it was read; read it again.');
}
