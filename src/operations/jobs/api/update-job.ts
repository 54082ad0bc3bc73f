import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import { isJsonObject } from '../../../domain/json-object.ts';
import type { FieldError } from '../../../domain/message.ts';
import * as queries from '../change-job-sql.ts';
import { refuseJob } from '../check-job.ts';
import { assertUnchanged, jobAnswer, jobId } from '../job.ts';
import type { KeyedJob } from '../jobs-sql.ts';
import { assertJudged, patchJob } from '../patch-job.ts';
import { ownJob } from './get-job.ts';

/** Changes a job, see patchJob. Throws what patchJob throws, and 412 `changed`. */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
  known?: KeyedJob,
): Promise<Reply<'updateJob'>> {
  const id = jobId(path.id);
  const { job: read, key } = known ?? (await ownJob(ctx, path.id));
  const job = await patchJob(ctx, {
    id,
    read,
    fields: body,
    actor: actorName(ctx.actor),
    assertUnchanged: (stored) => assertUnchanged(header['If-Match'], stored, key),
    write: (update) => queries.updateJob(ctx.db, ctx.actor.tenant, id, { ...update, by: ctx }),
  });
  return { status: 200, ...jobAnswer(ctx, job, key) };
}

/** Answers an update that breaks the contract. Runs the update if every wrong field equals its stored value; otherwise throws 404 or 422. */
export async function refuseUpdateJob(
  ctx: ApiContext,
  request: PlainRequest,
  errors: readonly FieldError[],
): Promise<Reply<'updateJob'>> {
  const { path, header, body } = request;
  const known = typeof path.id === 'number' && Number.isSafeInteger(path.id) ? await ownJob(ctx, path.id) : undefined;
  if (!known || !isJsonObject(body)) return refuseJob(ctx, body, errors, 'unknown');
  await assertJudged(ctx, known.job, body, errors);
  // The cast is needed: only `body` is known to be an object, and what is wrong with it equals what is stored.
  return updateJob(ctx, { path, header, body } as Input<'updateJob'>, known);
}
