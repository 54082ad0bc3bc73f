import { z } from 'zod';
import { actorName } from '../../../domain/actor.ts';
import { jobChanged, notAllowed, rejection, unknownJob } from '../../../domain/errors.ts';
import { showCompany } from '../../companies/people/show-company.ts';
import { type ChangeContext, declare } from '../../declare.ts';
import { reason, version } from '../../fields.ts';
import { recordedFor } from '../../recorded.ts';
import { decideJob, rowsIn } from '../change-job-sql.ts';
import { currentStatus, storedVersion } from '../job.ts';
import { lockJob } from '../jobs-sql.ts';
import { type Decision, decisions } from '../transitions.ts';
import { type JobRef, jobFields, locateJob, ofJob } from './show-job.ts';

const by = ['operator', 'administrator'] as const;

/** Publishes a pending production job. Throws `unknown_job`, `sandbox_job`, `not_pending` and `job_changed`. */
export const approveJob = declare({
  command: 'job approve',
  title: 'Publish a pending production job',
  by,
  records: 'job.approved',
  input: z.object({ ...jobFields, version: version() }),
  run: async (ctx, { version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'approved', version),
  done: ({ status }) =>
    status === 'expired'
      ? 'job {{job_id}} of company {{company_id}} approved; it is expired, because its last day has passed'
      : 'job {{job_id}} of company {{company_id}} approved',
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
  input: z.object({
    ...jobFields,
    reason: reason().meta({ hint: 'The company sees it.', example: 'The salary is missing.' }),
    version: version(),
  }),
  done: 'job {{job_id}} of company {{company_id}} denied',
  run: async (ctx, { reason, version, ...ref }) => decide(ctx, await locateJob(ctx, ref), 'denied', version, reason),
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
  input: z.object({ ...jobFields, version: version() }),
  done: 'Job {{job_id}} waits for review again.',
  run: async (ctx, { version, ...ref }) => {
    const job = await locateJob(ctx, ref);
    const { access } = await showCompany(ctx, { companyId: job.companyId });
    if (access[job.environment].kind === 'closed') throw notAllowed();
    return decide(ctx, job, 'resubmitted', version);
  },
});

/** Withdraws a company's job in its place; does nothing if it is inactive. Throws `unknown_job`. */
export const withdrawCompanyJob = declare({
  command: 'job withdraw',
  title: 'Withdraw a job',
  label: 'Withdraw',
  by: [...by, 'main account'],
  records: 'job.withdrawn',
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

/** Takes a decision and records it. A job that is withdrawn already stays so, without an entry in the audit trail. */
function decide<D extends Decision>(ctx: ChangeContext, job: JobRef, outcome: D, version?: string, reason?: string) {
  const { jobId, ...tenant } = job;
  const { actor, now, today } = ctx;
  const { from, to } = decisions[outcome];
  return recordedFor(ctx, tenant.companyId, async (tx) => {
    if (from === 'pending' && tenant.environment === 'sandbox')
      throw rejection('sandbox_job', 'Jobs of the sandbox stay pending: nobody reviews them.');
    const read = await lockJob(tx, tenant, jobId);
    if (!read) throw unknownJob(jobId);
    if (from && read.status !== from) throw rejection(`not_${from}`, `The job is ${read.status}, not ${from}.`);
    if (read.status === to) return { result: { ...job, outcome, status: read.status }, audit: null };
    if (version !== undefined && version !== storedVersion(read, today)) throw jobChanged();
    const decided = { decision: outcome, read, reason, actor: actorName(actor), now };
    const { job: stored } = await decideJob(rowsIn(tx), tenant, jobId, decided);
    if (!stored) throw unknownJob(jobId);
    const audit = { environment: tenant.environment, details: { job_id: Number(jobId) } };
    return { result: { ...job, outcome, status: currentStatus(stored, today) }, audit };
  });
}
