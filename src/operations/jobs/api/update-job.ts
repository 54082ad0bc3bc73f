import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import type { FieldError, JobFields } from '../../../domain/field-rules.ts';
import * as queries from '../change-job-sql.ts';
import { refuseJob } from '../check-job.ts';
import { assertUnchanged, jobAnswer, jobId, type StoredJob } from '../job.ts';
import { assertJudged, patchJob } from '../patch-job.ts';

/** Changes a job, see patchJob. Throws what patchJob throws, and 412 `changed`. */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
  read?: StoredJob,
): Promise<Reply<'updateJob'>> {
  const id = jobId(path.id);
  const job = await patchJob(ctx, {
    id,
    read,
    fields: body,
    actor: actorName(ctx.actor),
    assertUnchanged: (stored) => assertUnchanged(ctx, header['If-Match'], stored),
    write: (update) => queries.updateJob(ctx.db, ctx.actor.tenant, id, update),
  });
  return { status: 200, ...jobAnswer(ctx, job) };
}

/** `stored` is undefined for an invalid id, which has no job to compare with. */
export async function refuseUpdateJob(
  ctx: ApiContext,
  request: PlainRequest,
  known: readonly FieldError[],
  stored: StoredJob | undefined,
): Promise<Reply<'updateJob'>> {
  const { path, header, body } = request;
  if (!stored || typeof body !== 'object' || body === null || Array.isArray(body))
    return refuseJob(ctx, body, known, async () => undefined);
  await assertJudged(ctx, stored, body as JobFields, known);
  return updateJob(ctx, { path, header, body } as Input<'updateJob'>, stored);
}
