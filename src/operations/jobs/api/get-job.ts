import type { ApiContext } from '../../../context.ts';
import type { Input, Reply } from '../../../contract/types.ts';
import { notFound } from '../../../domain/errors.ts';
import { jobAnswer, jobId } from '../job.ts';
import { findKeyedJob, type KeyedJob } from '../jobs-sql.ts';

/** Returns one of the company's jobs. Throws 404. */
export async function getJob(ctx: ApiContext, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  const { job, key } = await ownJob(ctx, path.id);
  return { status: 200, ...jobAnswer(ctx, job, key) };
}

/** Finds one of the company's jobs. Throws 404. */
export async function ownJob({ db, actor }: ApiContext, id: number): Promise<KeyedJob> {
  const found = await findKeyedJob(db, actor.tenant, jobId(id));
  if (!found) throw notFound('job');
  return found;
}
