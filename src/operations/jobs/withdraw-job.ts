import type { Context } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorOf } from '../../domain/actor.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId } from '../../domain/job.ts';
import * as store from '../../queries/jobs.ts';

/** Makes a job inactive, repeatedly with the same answer. Refuses with 404 what does not exist for the company. */
export async function withdrawJob(ctx: Context, { path }: Input<'withdrawJob'>): Promise<Reply<'withdrawJob'>> {
  const { caller } = ctx;
  const found = await store.withdrawJob(ctx.db, caller.tenant, jobId(path.id), actorOf(caller), ctx.now);
  if (!found) throw jobNotFound();
  return { status: 204 };
}
