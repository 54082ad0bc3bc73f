import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId } from '../../domain/job.ts';
import { findJob } from '../../queries/jobs.ts';
import { jobAnswer } from './job-answer.ts';

/** Returns one of the company's jobs. Throws 404. */
export async function getJob(ctx: ApiContext, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  const job = await findJob(ctx.db, ctx.actor.tenant, jobId(path.id));
  if (!job) throw jobNotFound();
  return { status: 200, ...jobAnswer(ctx, job) };
}
