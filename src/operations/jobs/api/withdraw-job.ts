import type { ApiContext } from '../../../context.ts';
import type { Input, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import { notFound } from '../../../domain/errors.ts';
import { isConditional } from '../../kit/api/if-match.ts';
import { retryChange } from '../../kit/api/retry-change.ts';
import { decideJob } from '../change-job-sql.ts';
import { assertUnchanged, jobAnswer, jobId, presentJob } from '../job.ts';
import { decisions } from '../transitions.ts';
import { ownJob } from './get-job.ts';

/**
 * Makes a job inactive and returns it. A repeated request gets the same answer, whatever version If-Match names. Throws 404, 412 `changed`,
 * and 503 after ten lost attempts.
 */
export async function withdrawJob(
  ctx: ApiContext,
  { path, header }: Input<'withdrawJob'>,
): Promise<Reply<'withdrawJob'>> {
  const { db, actor, now, today } = ctx;
  const ifMatch = header['If-Match'];
  return retryChange('job', async () => {
    const { job: stored, key } = await ownJob(ctx, path.id);
    if (stored.status === decisions.withdrawn.to) return { status: 204, ...jobAnswer(ctx, stored, key) } as const;
    const read = isConditional(ifMatch) ? stored : undefined;
    if (read) assertUnchanged(ifMatch, presentJob(read, actor.companyName, today), key);
    const decided = { decision: 'withdrawn', read, actor: actorName(actor), now, by: ctx } as const;
    const { refusals, job } = await decideJob(db, actor.tenant, jobId(path.id), decided);
    if (!job) throw notFound('job');
    return refusals.includes('changed') ? undefined : ({ status: 204, ...jobAnswer(ctx, job, key) } as const);
  });
}
