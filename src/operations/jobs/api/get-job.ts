import type { ApiContext } from '../../../context.ts';
import type { Input, Reply } from '../../../contract/types.ts';
import { jobNotFound } from '../../../domain/errors.ts';
import { findKey } from '../idempotency-keys-sql.ts';
import { jobAnswer, jobId, type StoredJob } from '../job.ts';
import { findJob } from '../jobs-sql.ts';

/** Returns one of the company's jobs. Throws 404. */
export async function getJob(ctx: ApiContext, { path }: Input<'getJob'>): Promise<Reply<'getJob'>> {
  const job = await ownJob(ctx, path.id);
  // Afterwards, so that no query outlives the request.
  const key = await findKey(ctx.db, ctx.actor.tenant, jobId(path.id));
  return { status: 200, ...jobAnswer(ctx, job, key) };
}

/** Finds one of the company's jobs. Throws 404. */
export async function ownJob({ db, actor }: ApiContext, id: number): Promise<StoredJob> {
  const job = await findJob(db, actor.tenant, jobId(id));
  if (!job) throw jobNotFound();
  return job;
}
