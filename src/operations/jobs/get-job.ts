import type { Context } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId, presentJob } from '../../domain/job.ts';
import { findJob } from '../../queries/jobs.ts';

/** One job of the company. Refuses with 404 what does not exist for it. */
export async function getJob(ctx: Context, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  const job = await findJob(ctx.db, ctx.caller.tenant, jobId(path.id));
  if (!job) throw jobNotFound();
  return { status: 200, body: { data: presentJob(job, ctx.caller.companyName, ctx.today) } };
}
