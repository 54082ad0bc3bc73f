import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { jobNotFound, unavailable } from '../../domain/errors.ts';
import { jobId } from '../../domain/job.ts';
import * as queries from '../../queries/jobs.ts';
import { assertUnchanged } from './job-answer.ts';

/** Each attempt loses only if another change of the same job wins. */
const attemptsMax = 10;

/** Makes a job inactive; repeating it gives the same answer, whatever If-Match says. Throws 404 and 412 `changed`. */
export async function withdrawJob(
  ctx: ApiContext,
  { path, header }: Input<'withdrawJob'>,
): Promise<Reply<'withdrawJob'>> {
  const { db, actor, now } = ctx;
  const id = jobId(path.id);
  const ifMatch = header['If-Match'];
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = await queries.findRevision(db, actor.tenant, id);
    if (!found) throw jobNotFound();
    if (found.job.status === 'inactive') return { status: 204 };
    assertUnchanged(ctx, ifMatch, found.job);
    const revision = ifMatch === undefined ? undefined : found.revision;
    const isWithdrawn = await queries.withdrawJob(db, actor.tenant, id, { actor: actorName(actor), now, revision });
    if (isWithdrawn || revision === undefined) return { status: 204 };
  }
  throw unavailable('database', 'The job is being changed by others; try again.', 1);
}
