import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import type { JobFields } from '../../../domain/field-rules.ts';
import type { FieldError } from '../../../domain/message.ts';
import * as queries from '../change-job-sql.ts';
import { refuseJob } from '../check-job.ts';
import { findKey } from '../idempotency-keys-sql.ts';
import { assertUnchanged, jobAnswer, jobId, type StoredJob } from '../job.ts';
import { assertJudged, patchJob } from '../patch-job.ts';
import { ownJob } from './get-job.ts';

/** Changes a job, see patchJob. Throws what patchJob throws, and 412 `changed`. */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
  read?: StoredJob,
): Promise<Reply<'updateJob'>> {
  const id = jobId(path.id);
  // Before the change, so that a change that is written is answered.
  const key = await findKey(ctx.db, ctx.actor.tenant, id);
  const job = await patchJob(ctx, {
    id,
    read,
    fields: body,
    actor: actorName(ctx.actor),
    assertUnchanged: (stored) => assertUnchanged(header['If-Match'], stored),
    write: (update) => queries.updateJob(ctx.db, ctx.actor.tenant, id, update),
  });
  return { status: 200, ...jobAnswer(ctx, job, key) };
}

/** Compares the request with the stored job, unless its id is none. */
export async function refuseUpdateJob(
  ctx: ApiContext,
  request: PlainRequest,
  known: readonly FieldError[],
): Promise<Reply<'updateJob'>> {
  const { path, header, body } = request;
  const stored = typeof path.id === 'number' && Number.isSafeInteger(path.id) ? await ownJob(ctx, path.id) : undefined;
  if (!stored || typeof body !== 'object' || body === null || Array.isArray(body))
    return refuseJob(ctx, body, known, async () => undefined);
  await assertJudged(ctx, stored, body as JobFields, known);
  return updateJob(ctx, { path, header, body } as Input<'updateJob'>, stored);
}
