import type { ApiContext } from '../../../context.ts';
import type { Input, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import { jobNotFound } from '../../../domain/errors.ts';
import { decideJob } from '../change-job-sql.ts';
import { changed, jobAnswer, jobId, versionsIn } from '../job.ts';

/** Makes a job inactive and returns it; repeating it gives the same answer, whatever If-Match says. Throws 404 and 412 `changed`. */
export async function withdrawJob(
  ctx: ApiContext,
  { path, header }: Input<'withdrawJob'>,
): Promise<Reply<'withdrawJob'>> {
  const { db, actor, now, today } = ctx;
  const versions = versionsIn(ctx, header['If-Match'], path.id);
  const decided = { decision: 'withdrawn', versions, actor: actorName(actor), now, today } as const;
  const { refusals, job } = await decideJob(db, actor.tenant, jobId(path.id), decided);
  if (!job) throw jobNotFound();
  const { body } = jobAnswer(ctx, job);
  if (refusals.includes('changed')) throw changed(ctx, body.data);
  return { status: 204, body };
}
