import { actorName } from '../../../domain/actor.ts';
import { changedSinceRead, rejection, unknownJob } from '../../../domain/errors.ts';
import { requireAccess } from '../../companies/company-access.ts';
import type { ChangeContext, Settled } from '../../kit/declare.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { decideJob } from '../change-job-sql.ts';
import { currentStatus, type StoredJob, storedVersion } from '../job.ts';
import { listEvents, lockJob } from '../jobs-sql.ts';
import { type Decision, decisions } from '../transitions.ts';
import { isDecisionOf, type JobRef } from './show-job.ts';

/** For the operator, says who made the latest change and when. An administrator's page shows this anyway; a company must not see who reviews. */
const decidedBy = ({ actor }: ChangeContext, latest: { kind: string; actor: string; createdAt: Date } | undefined) =>
  actor.kind !== 'operator' || !latest
    ? ''
    : `: ${latest.kind} by ${latest.actor} at ${latest.createdAt.toISOString()}`;

export const alreadyWithdrawn: Settled = { text: 'The job is already withdrawn.' };

/**
 * Records a decision. If the same person has just made the same decision, or if the job already has the new status and the decision requires
 * no other status, returns the job without an audit entry.
 */
export function decide<D extends Decision>(
  ctx: ChangeContext,
  job: JobRef,
  outcome: D,
  version?: string,
  reason?: string,
) {
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
    if (read.status === to) {
      const isSettled = !isRepeated && outcome === 'withdrawn';
      return { result: { ...resultOf(read), ...(isSettled && { settled: alreadyWithdrawn }) }, audit: null };
    }
    if (outcome === 'undone' && !isDecisionOf(latest, actor))
      throw rejection(
        'nothing_to_undo',
        'Only your own review can be undone, and only while nobody has changed the job.',
      );
    if (version !== undefined && version !== storedVersion(read, today)) throw changedSinceRead();
    const decided = { decision: outcome, read, reason, actor, now };
    const { job: stored } = await decideJob(tx, tenant, jobId, decided);
    if (!stored) throw unknownJob(jobId);
    const audit = { environment: tenant.environment, details: { job_id: Number(jobId) } };
    return { result: resultOf(stored), audit };
  });
}
