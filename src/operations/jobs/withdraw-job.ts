import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId } from '../../domain/job.ts';
import * as queries from '../../queries/jobs.ts';

/** Makes a job inactive; repeating it gives the same answer. Throws 404. */
export async function withdrawJob(ctx: ApiContext, { path }: Input<'withdrawJob'>): Promise<Reply<'withdrawJob'>> {
  const { actor, now } = ctx;
  const exists = await queries.withdrawJob(ctx.db, actor.tenant, jobId(path.id), actorName(actor), now);
  if (!exists) throw jobNotFound();
  return { status: 204 };
}
