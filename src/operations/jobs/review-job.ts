import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import { actorName } from '../../domain/actor.ts';
import type { Tenant } from '../../domain/environment.ts';
import { rejection, unknownJob } from '../../domain/errors.ts';
import { findJobState, type ReviewDecision, recordReview } from '../../queries/job-review.ts';
import { lineOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';

export const reasonCharactersMax = 1000;

export interface JobRef extends Tenant {
  readonly jobId: bigint;
}

interface Review extends JobRef {
  /** The revision that the reviewer has read; if absent, the current one is reviewed. */
  readonly revision?: number | undefined;
}

/** Publishes a pending production job. Throws `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export function approveJob(ctx: Context, review: Review): Promise<void> {
  const { companyId, environment, jobId } = review;
  return recordedFor(ctx, companyId, async (tx) => {
    await reviewJob(ctx, tx, review, { status: 'active', denialReason: null });
    return { result: undefined, audit: { action: 'job.approved', environment, details: { job_id: Number(jobId) } } };
  });
}

/**
 * Denies a pending production job; the company sees the reason.
 * Throws `invalid_input`, `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`.
 */
export function denyJob(ctx: Context, review: Review & { readonly reason: string }): Promise<void> {
  const { companyId, environment, jobId } = review;
  const reason = lineOf('reason', review.reason, reasonCharactersMax);
  return recordedFor(ctx, companyId, async (tx) => {
    await reviewJob(ctx, tx, review, { status: 'denied', denialReason: reason });
    const details = { job_id: Number(jobId), reason };
    return { result: undefined, audit: { action: 'job.denied', environment, details } };
  });
}

async function reviewJob(
  ctx: Context,
  tx: Tx,
  { jobId, revision, ...tenant }: Review,
  outcome: Pick<ReviewDecision, 'status' | 'denialReason'>,
): Promise<void> {
  if (tenant.environment === 'sandbox')
    throw rejection('sandbox_job', 'Jobs of the sandbox stay pending: nobody reviews them.');
  const decision = { ...outcome, actor: actorName(ctx.actor), now: ctx.now, revision };
  if (await recordReview(tx, tenant, jobId, decision)) return;
  const state = await findJobState(tx, tenant, jobId);
  if (!state) throw unknownJob(jobId);
  if (state.status !== 'pending') throw rejection('not_pending', `The job is ${state.status}, not pending.`);
  throw rejection('job_changed', 'The job has changed since it was read; read it again.');
}
