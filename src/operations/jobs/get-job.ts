import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId, presentJob } from '../../domain/job.ts';
import { findJob } from '../../queries/jobs.ts';

/** Returns one of the company's jobs. Throws 404. */
export async function getJob(ctx: ApiContext, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  const { tenant, companyName } = ctx.actor;
  const job = await findJob(ctx.db, tenant, jobId(path.id));
  if (!job) throw jobNotFound();
  return { status: 200, body: { data: presentJob(job, companyName, ctx.today) } };
}
