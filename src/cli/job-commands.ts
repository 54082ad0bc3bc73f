import { removeJob } from '../operations/jobs/remove-job.ts';
import { approveJob, denyJob, type JobRef } from '../operations/jobs/review-job.ts';
import { locateJob } from '../operations/jobs/show-job.ts';
import { type OpsContext, type Outcome, optional, parseId, required, type Verb, verb } from './command.ts';

interface JobOptions {
  readonly id: bigint;
  readonly company?: bigint;
  readonly reason?: string;
}

const job = [
  required('--id <id>', 'ID of the job', parseId),
  optional('--company <id>', 'ID of its company; without it, the jobs of all companies are searched', parseId),
];

const approve = verb<JobOptions>({
  name: 'approve',
  description: 'publish a pending production job',
  options: job,
  examples: ['job approve --id 204'],
  run: (ctx, options) => onJob(ctx, options, 'approved', (job) => approveJob(ctx, job)),
});

const deny = verb<JobOptions & { readonly reason: string }>({
  name: 'deny',
  description: 'send a pending production job back to its company',
  options: [...job, required('--reason <reason>', 'the reason that the company sees')],
  examples: ['job deny --id 204 --reason "The salary is missing."'],
  run: (ctx, { reason, ...options }) => onJob(ctx, options, 'denied', (job) => denyJob(ctx, { ...job, reason })),
});

const remove = verb<JobOptions>({
  name: 'remove',
  description: 'delete a job permanently; its idempotency key stays reserved',
  options: [...job, optional('--reason <reason>', 'recorded in the audit trail')],
  examples: ['job remove --id 204'],
  run: (ctx, { reason, ...options }) => onJob(ctx, options, 'removed', (job) => removeJob(ctx, { ...job, reason })),
});

async function onJob(
  ctx: OpsContext,
  { id: jobId, company }: JobOptions,
  outcome: string,
  change: (job: JobRef) => Promise<void>,
): Promise<Outcome> {
  const tenant = await locateJob(ctx, jobId, company);
  await change({ ...tenant, jobId });
  const { companyId, environment } = tenant;
  const data = { job_id: Number(jobId), company_id: Number(companyId), environment, outcome };
  return { data, text: `job ${jobId} of company ${companyId} ${outcome}` };
}

export const jobVerbs: readonly Verb[] = [approve, deny, remove];
