import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId, type StoredJob } from '../../domain/job.ts';
import * as queries from '../../queries/jobs.ts';
import { assertUnchanged, jobAnswer } from './job-answer.ts';
import { retryChange } from './retry-change.ts';

/** Makes a job inactive and returns it; repeating it gives the same answer, whatever If-Match says. Throws 404 and 412 `changed`. */
export async function withdrawJob(
  ctx: ApiContext,
  { path, header }: Input<'withdrawJob'>,
): Promise<Reply<'withdrawJob'>> {
  const { db, actor, now } = ctx;
  const id = jobId(path.id);
  const ifMatch = header['If-Match'];
  return retryChange(async () => {
    const found = await queries.findRevision(db, actor.tenant, id);
    if (!found) throw jobNotFound();
    const { job, revision } = found;
    if (job.status === 'inactive') return { status: 204, body: jobAnswer(ctx, job).body };
    assertUnchanged(ctx, ifMatch, job);
    const isDone = await queries.withdrawJob(db, actor.tenant, id, { actor: actorName(actor), now, revision });
    const withdrawn: StoredJob = {
      ...job,
      status: 'inactive',
      updated_at: now.toISOString().replace(/[TZ]/g, ' ').trim(),
    };
    return isDone ? { status: 204, body: jobAnswer(ctx, withdrawn).body } : undefined;
  });
}
