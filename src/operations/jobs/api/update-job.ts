import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import type { FieldError, JobFields } from '../../../domain/field-rules.ts';
import * as queries from '../change-job-sql.ts';
import { refuseJob } from '../check-job.ts';
import { assertUnchanged, jobAnswer, jobId } from '../job.ts';
import { assertJudged, patchJob } from '../patch-job.ts';
import { ownJob } from './get-job.ts';

/** Changes a job, see patchJob. Throws what that throws, and 412 `changed`. */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
): Promise<Reply<'updateJob'>> {
  const id = jobId(path.id);
  const job = await patchJob(ctx, {
    id,
    fields: body,
    actor: actorName(ctx.actor),
    assertUnchanged: (stored) => assertUnchanged(ctx, header['If-Match'], stored),
    write: (update) => queries.updateJob(ctx.db, ctx.actor.tenant, id, update),
  });
  return { status: 200, ...jobAnswer(ctx, job) };
}

/** An invalid id has no stored job to compare with; for a valid one, dispatch has found the job. */
export async function refuseUpdateJob(
  ctx: ApiContext,
  request: PlainRequest,
  known: readonly FieldError[],
): Promise<Reply<'updateJob'>> {
  const { path, header, body } = request;
  if (known.some(([field]) => field === 'id') || typeof body !== 'object' || body === null || Array.isArray(body))
    return refuseJob(ctx, body, known, async () => undefined);
  await assertJudged(ctx, await ownJob(ctx, Number(path.id)), body as JobFields, known);
  return updateJob(ctx, { path, header, body } as Input<'updateJob'>);
}
