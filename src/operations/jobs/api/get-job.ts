import type { ApiContext } from '../../../context.ts';
import type { Input, Reply } from '../../../contract/types.ts';
import { jobNotFound } from '../../../domain/errors.ts';
import { jobAnswer, jobId, type StoredJob } from '../job.ts';
import { findJob } from '../jobs-sql.ts';

/** Returns one of the company's jobs. Throws 404. */
export async function getJob(ctx: ApiContext, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  return { status: 200, ...jobAnswer(ctx, await ownJob(ctx, path.id)) };
}

/** Finds one of the company's jobs. Throws 404. */
export async function ownJob({ db, actor }: ApiContext, id: number): Promise<StoredJob> {
  const job = await findJob(db, actor.tenant, jobId(id));
  if (!job) throw jobNotFound();
  return job;
}
