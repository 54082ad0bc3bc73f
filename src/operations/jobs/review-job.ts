import { z } from 'zod';
import type { Tx } from '../../database/transaction.ts';
import { actorName } from '../../domain/actor.ts';
import { notAllowed, rejection, unknownJob } from '../../domain/errors.ts';
import { statusAfterPatch } from '../../domain/job.ts';
import { findJobState, type ReviewDecision, recordReview } from '../../queries/job-review.ts';
import { updateJobIn, withdrawJobIn } from '../../queries/jobs.ts';
import { showCompany } from '../companies/show-company.ts';
import { type ChangeContext, declare } from '../declare.ts';
import { integerMax, reason, wholeNumber } from '../fields.ts';
import { recordedFor } from '../recorded.ts';
import { type JobRef, jobFields, locateJob } from './show-job.ts';

const by = ['operator', 'administrator'] as const;

const revision = wholeNumber(1, integerMax)
  .optional()
  .meta({ label: 'Revision', hint: 'The one that was read; without it, the current one is reviewed.' });

/** Publishes a pending production job. Throws `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export const approveJob = declare({
  command: 'job approve',
  title: 'Publish a pending production job',
  by,
  records: 'job.approved',
  noPage: 'Its form is written out on the page of the job: the queue is worked through by keys.',
  input: z.object({ ...jobFields, revision }),
  done: 'job {{job_id}} of company {{company_id}} approved',
  run: async (ctx, { revision, ...ref }) => {
    const job = await locateJob(ctx, ref);
    return recordedFor(ctx, job.companyId, async (tx) => {
      await review(ctx, tx, job, { status: 'active', denialReason: null, revision });
      const details = { job_id: Number(job.jobId) };
      return { result: { ...job, outcome: 'approved' }, audit: { environment: job.environment, details } };
    });
  },
});

/**
 * Denies a pending production job; the company sees the reason.
 * Throws `invalid_input`, `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`.
 */
export const denyJob = declare({
  command: 'job deny',
  title: 'Send a pending production job back to its company',
  by,
  records: 'job.denied',
  noPage: 'Its form is written out on the page of the job: the queue is worked through by keys.',
  input: z.object({
    ...jobFields,
    reason: reason().meta({ hint: 'The company sees it.', example: 'The salary is missing.' }),
    revision,
  }),
  done: 'job {{job_id}} of company {{company_id}} denied',
  run: async (ctx, { reason, revision, ...ref }) => {
    const job = await locateJob(ctx, ref);
    return recordedFor(ctx, job.companyId, async (tx) => {
      await review(ctx, tx, job, { status: 'denied', denialReason: reason, revision });
      const details = { job_id: Number(job.jobId), reason };
      return { result: { ...job, outcome: 'denied' }, audit: { environment: job.environment, details } };
    });
  },
});

/**
 * Sends a denied job to review again as it is, as a PATCH that changes nothing does. Not for a company to which the environment is closed.
 * Throws `unknown_job`, `not_allowed`, `not_denied` and `job_changed`.
 */
export const resubmitJob = declare({
  command: 'job resubmit',
  title: 'Send a denied job to review again',
  by: ['operator', 'main account'],
  records: 'job.resubmitted',
  input: z.object({ ...jobFields, revision }),
  done: 'Job {{job_id}} waits for review again.',
  noPage: 'A company does it on the page of its job.',
  run: async (ctx, { revision, ...ref }) => {
    const { jobId, ...tenant } = await locateJob(ctx, ref);
    const { access } = await showCompany(ctx, { companyId: tenant.companyId });
    if (access[tenant.environment].kind === 'closed') throw notAllowed();
    return recordedFor(ctx, tenant.companyId, async (tx) => {
      const state = await findJobState(tx, tenant, jobId);
      if (!state) throw unknownJob(jobId);
      if (state.status !== 'denied') throw rejection('not_denied', `The job is ${state.status}, not denied.`);
      const change = {
        fields: {},
        status: statusAfterPatch(state.status, false),
        actor: actorName(ctx.actor),
        now: ctx.now,
      };
      const isDone = await updateJobIn(
        tx,
        tenant,
        { job: { id: Number(jobId) }, revision: revision ?? state.revision },
        change,
      );
      if (!isDone) throw rejection('job_changed', 'The job has changed since it was read; read it again.');
      const audit = { environment: tenant.environment, details: { job_id: Number(jobId) } };
      return { result: { ...tenant, jobId, outcome: 'resubmitted' }, audit };
    });
  },
});

/** Withdraws a company's job in its place; does nothing if it is inactive. Throws `unknown_job`. */
export const withdrawCompanyJob = declare({
  command: 'job withdraw',
  title: 'Withdraw a job for its company',
  by: [...by, 'main account'],
  records: 'job.withdrawn',
  dangerous: 'The job is no longer published.',
  input: z.object({ ...jobFields, reason: reason().optional() }),
  done: 'Job {{job_id}} of company {{company_id}} is withdrawn.',
  run: async (ctx, { reason = null, ...ref }) => {
    const job = await locateJob(ctx, ref);
    return recordedFor(ctx, job.companyId, async (tx) => {
      const withdrawal = { revision: undefined, actor: actorName(ctx.actor), now: ctx.now };
      const isWithdrawn = await withdrawJobIn(tx, job, job.jobId, withdrawal);
      if (!isWithdrawn && !(await findJobState(tx, job, job.jobId))) throw unknownJob(job.jobId);
      const audit = { environment: job.environment, details: { job_id: Number(job.jobId), reason } };
      return { result: { ...job, outcome: 'withdrawn' }, audit: isWithdrawn ? audit : null };
    });
  },
});

async function review(
  ctx: ChangeContext,
  tx: Tx,
  { jobId, ...tenant }: JobRef,
  outcome: Pick<ReviewDecision, 'status' | 'denialReason' | 'revision'>,
): Promise<void> {
  if (tenant.environment === 'sandbox')
    throw rejection('sandbox_job', 'Jobs of the sandbox stay pending: nobody reviews them.');
  const decision = { ...outcome, actor: actorName(ctx.actor), now: ctx.now };
  if (await recordReview(tx, tenant, jobId, decision)) return;
  const state = await findJobState(tx, tenant, jobId);
  if (!state) throw unknownJob(jobId);
  if (state.status !== 'pending') throw rejection('not_pending', `The job is ${state.status}, not pending.`);
  throw rejection('job_changed', 'The job has changed since it was read; read it again.');
}
