import type { ApiContext } from '../../context.ts';
import type { Input, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { jobNotFound } from '../../domain/errors.ts';
import { jobId } from '../../domain/job.ts';
import { decideJob } from '../../queries/change-job.ts';
import { findRevision } from '../../queries/jobs.ts';
import { assertUnchanged, jobAnswer } from './job-answer.ts';

/** Makes a job inactive and returns it; repeating it gives the same answer, whatever If-Match says. Throws 404 and 412 `changed`. */
export async function withdrawJob(ctx: ApiContext, input: Input<'withdrawJob'>): Promise<Reply<'withdrawJob'>> {
  const { db, actor, now } = ctx;
  const id = jobId(input.path.id);
  const ifMatch = input.header['If-Match'];
  const revision = ifMatch === undefined ? undefined : await readRevision(ctx, id, ifMatch);
  const decided = { decision: 'withdrawn', revision, actor: actorName(actor), now } as const;
  const { refusals, job } = await decideJob(db, actor.tenant, id, decided);
  if (!job) throw jobNotFound();
  // Another change won: If-Match is compared with that one.
  if (refusals.includes('changed')) return withdrawJob(ctx, input);
  return { status: 204, body: jobAnswer(ctx, job).body };
}

async function readRevision(ctx: ApiContext, id: bigint, ifMatch: string): Promise<number> {
  const found = await findRevision(ctx.db, ctx.actor.tenant, id);
  if (!found) throw jobNotFound();
  if (found.job.status !== 'inactive') assertUnchanged(ctx, ifMatch, found.job);
  return found.revision;
}
