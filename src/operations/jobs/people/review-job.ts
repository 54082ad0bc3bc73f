import * as z from 'zod';
import { actorName } from '../../../domain/actor.ts';
import { jobChanged, rejection, unknownJob } from '../../../domain/errors.ts';
import { requireAccess } from '../../companies/company-access.ts';
import { type ChangeContext, declare } from '../../kit/declare.ts';
import { reason, version } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { decideJob } from '../change-job-sql.ts';
import { currentStatus, type StoredJob, storedVersion } from '../job.ts';
import { listEvents, lockJob } from '../jobs-sql.ts';
import { type Decision, decisions } from '../transitions.ts';
import { isDecisionOf, type JobRef, jobFields, locateJob, ofJob } from './show-job.ts';

const by = ['operator', 'administrator'] as const;

/** Publishes a pending production job. Throws `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
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
 * Throws `invalid_input`, `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`.
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
 * Sends a denied job to review again unchanged, like a PATCH that changes nothing. Throws `not_allowed` while the environment is closed to
 * the company, `unknown_job`, `sandbox_job`, `not_denied` and `job_changed`.
 */
export const resubmitJob = declare({
  command: 'job resubmit',
  title: 'Send a denied job to review again',
  label: 'Send to review again',
  by: [...by, 'main account'],
  records: 'job.resubmitted',
  input: z.object({ ...jobFields, version: version() }),
  subject: ofJob,
  done: 'Waits for review again: {{title}}.',
  run: async (ctx, { version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'resubmitted', version),
});

/**
 * Makes a job pending again if its latest change is this person's approval or denial. Does nothing if the job is pending. The quota does not
 * change. Throws `unknown_job`, `sandbox_job`, `nothing_to_undo` and `job_changed`.
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

/** Withdraws a company's job. Does nothing if the job is already inactive. Throws `unknown_job`. */
export const withdrawCompanyJob = declare({
  command: 'job withdraw',
  title: 'Withdraw a job',
  label: 'Withdraw',
  by: [...by, 'main account'],
  records: 'job.withdrawn',
  whileSuspended: true,
  dangerous:
    'The job becomes inactive: candidates no longer see it, and no update publishes it again. It still counts toward the quota. This cannot be undone.',
  input: z.object({ ...jobFields, reason: reason().optional() }),
  subject: async (ctx, ref) => {
    const subject = await ofJob(ctx, ref);
    const isWithdrawn = subject.values.status === decisions.withdrawn.to;
    return { ...subject, ...(isWithdrawn && { settled: { text: 'The job is already withdrawn.' } }) };
  },
  done: 'The job is withdrawn.',
  run: async (ctx, ref) => decide(ctx, await locateJob(ctx, ref), 'withdrawn'),
});

/** For the operator, names who made the latest change and when. An administrator's page shows that; a company must not see who reviews. */
const decidedBy = ({ actor }: ChangeContext, latest: { kind: string; actor: string; createdAt: Date } | undefined) =>
  actor.kind !== 'operator' || !latest
    ? ''
    : `: ${latest.kind} by ${latest.actor} at ${latest.createdAt.toISOString()}`;

/** Records a decision. One that the same person has just made, or that would not change the status, returns the job without an audit entry. */
function decide<D extends Decision>(ctx: ChangeContext, job: JobRef, outcome: D, version?: string, reason?: string) {
  const { jobId, ...tenant } = job;
  const { now, today } = ctx;
  const actor = actorName(ctx.actor);
  const { kind, from, to } = decisions[outcome];
  return recordedFor(ctx, tenant.companyId, async (tx) => {
    if (outcome === 'resubmitted') await requireAccess(ctx, tx, tenant);
    if (outcome !== 'withdrawn' && tenant.environment === 'sandbox')
      throw rejection('sandbox_job', 'Jobs of the sandbox stay pending: nobody reviews them.');
    const read = await lockJob(tx, tenant, jobId);
    if (!read) throw unknownJob(jobId);
    const resultOf = (stored: StoredJob) => {
      const status = currentStatus(stored, today);
      return { ...job, outcome, title: stored.title, status, version: storedVersion(stored, today) };
    };
    const [latest] = await listEvents(tx, tenant, jobId, { before: undefined, limit: 1 });
    const taken = { kind, status: to, actor, reason: reason ?? null };
    const isRepeated = Object.entries(taken).every(([name, value]) => latest?.[name as keyof typeof taken] === value);
    if (from && read.status !== from && !isRepeated)
      throw rejection(`not_${from}`, `The job is ${read.status}, not ${from}${decidedBy(ctx, latest)}.`);
    if (read.status === to) return { result: resultOf(read), audit: null };
    if (outcome === 'undone' && !isDecisionOf(latest, actor))
      throw rejection(
        'nothing_to_undo',
        'Only your own review can be undone, and only while nobody has changed the job.',
      );
    if (version !== undefined && version !== storedVersion(read, today)) throw jobChanged();
    const decided = { decision: outcome, read, reason, actor, now };
    const { job: stored } = await decideJob(tx, tenant, jobId, decided);
    if (!stored) throw unknownJob(jobId);
    const audit = { environment: tenant.environment, details: { job_id: Number(jobId) } };
    return { result: resultOf(stored), audit };
  });
}
