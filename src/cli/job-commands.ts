import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { removeJob } from '../operations/jobs/remove-job.ts';
import { approveJob, denyJob, type JobName } from '../operations/jobs/review-job.ts';
import { locateJob } from '../operations/jobs/show-job.ts';
import { parseId } from './arguments.ts';
import type { Perform } from './outcome.ts';

interface JobOptions {
  readonly id: bigint;
  readonly reason?: string;
}

/** job approve, deny, remove. */
export function addJobCommands(program: Command, perform: Perform): void {
  const job = program.command('job').description('review of production jobs, and removal of any');
  addVerb(job, 'approve', 'publish a pending production job')
    .addHelpText('after', '\nExample:\n  $ ops job approve --id 204')
    .action(({ id }: JobOptions) => perform((ctx) => onJob(ctx, id, 'approved', (named) => approveJob(ctx, named))));
  addVerb(job, 'deny', 'send a pending production job back')
    .requiredOption('--reason <reason>', 'what the company is told')
    .addHelpText('after', '\nExample:\n  $ ops job deny --id 204 --reason "The salary is missing."')
    .action(({ id, reason = '' }: JobOptions) =>
      perform((ctx) => onJob(ctx, id, 'denied', (named) => denyJob(ctx, { ...named, reason }))),
    );
  addVerb(job, 'remove', 'delete a job for good; its idempotency key stays reserved')
    .option('--reason <reason>', 'kept in the audit trail')
    .addHelpText('after', '\nExample:\n  $ ops job remove --id 204')
    .action(({ id, reason }: JobOptions) =>
      perform((ctx) => onJob(ctx, id, 'removed', (named) => removeJob(ctx, { ...named, reason }))),
    );
}

const addVerb = (job: Command, verb: string, description: string): Command =>
  job.command(verb).description(description).requiredOption('--id <id>', 'id of the job', parseId);

async function onJob(ctx: Context, jobId: bigint, outcome: string, act: (job: JobName) => Promise<void>) {
  const tenant = await locateJob(ctx, jobId);
  await act({ ...tenant, jobId });
  const { companyId, environment } = tenant;
  const data = { job_id: Number(jobId), company_id: Number(companyId), environment, outcome };
  return { data, text: `job ${jobId} of company ${companyId} ${outcome}` };
}
