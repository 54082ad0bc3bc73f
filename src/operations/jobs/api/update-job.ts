import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import { policy } from '../../../domain/environment.ts';
import { jobNotFound, unavailable } from '../../../domain/errors.ts';
import { type FieldError, type JobFields, rulesOf } from '../../../domain/field-rules.ts';
import * as queries from '../change-job-sql.ts';
import { asInput, assertUnchanged, changedFields, isChangedBy, jobAnswer, jobId, presentJob } from '../job.ts';
import { findJob } from '../jobs-sql.ts';
import { statusAfterPatch } from '../transitions.ts';
import { assertPlace, checkJob, refuseJob } from './check-job.ts';
import { ownJob } from './get-job.ts';

const attemptsMax = 10;

/**
 * Changes the supplied fields only; rules between fields apply to the merged job. Writes nothing if nothing changes, and does not judge again
 * what equals the stored value.
 * Throws in this order: 404, 412 `changed`, 422, 403 `permission` for a district that the company may not publish in,
 * and 503 `database`.
 */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
): Promise<Reply<'updateJob'>> {
  const { actor, now, today } = ctx;
  const { tenant, autoPublish, companyName } = actor;
  const id = jobId(path.id);
  const { publishes, checksDistricts } = policy[tenant.environment];
  // An attempt loses only if another change of the same job wins.
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const stored = await findJob(ctx.db, tenant, id);
    if (!stored) throw jobNotFound();
    const shown = presentJob(stored, companyName, today);
    assertUnchanged(ctx, header['If-Match'], shown);
    const fields = await checkJob(ctx, changedFields(stored, body), { ...asInput(stored), ...body });
    const after = statusAfterPatch(shown.status, autoPublish && publishes);
    const status = after !== shown.status || isChangedBy(stored, fields) ? after : null;
    const readAt = shown.updated_at;
    const change = { readAt, checksDistricts, status, fields, actor: actorName(actor), now };
    const { refusals, job } = await queries.updateJob(ctx.db, tenant, id, change);
    assertPlace(ctx, refusals);
    if (job && !refusals.includes('changed')) return { status: 200, ...jobAnswer(ctx, job) };
  }
  throw unavailable('database', 'The job is being changed by others; try again.', 1);
}

/**
 * An invalid id has no stored job to compare with; for a valid one, dispatch has found the job. What equals the stored value is not judged
 * again, also by a rule of the schema that is younger than it.
 */
export async function refuseUpdateJob(
  ctx: ApiContext,
  request: PlainRequest,
  known: readonly FieldError[],
): Promise<Reply<'updateJob'>> {
  const { path, header, body } = request;
  if (known.some(([field]) => field === 'id') || typeof body !== 'object' || body === null || Array.isArray(body))
    return refuseJob(ctx, body, known, async () => undefined);
  const stored = await ownJob(ctx, Number(path.id));
  const changed = changedFields(stored, body as JobFields);
  const isJudged = (field: string) =>
    !rulesOf.has(field) || !Object.hasOwn(body, field) || Object.hasOwn(changed, field);
  const errors = known.filter(([field]) => isJudged(field));
  if (errors.length === 0) return updateJob(ctx, { path, header, body } as Input<'updateJob'>);
  return refuseJob(ctx, changed, errors, async () => asInput(stored));
}
