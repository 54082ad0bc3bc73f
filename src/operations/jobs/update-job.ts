import type { ApiContext } from '../../context.ts';
import type { Input, PlainRequest, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { policy } from '../../domain/environment.ts';
import { invalid, jobNotFound } from '../../domain/errors.ts';
import { asInput, changesFields, currentStatus, jobId, statusAfterPatch } from '../../domain/job.ts';
import type { FieldError, JobFields } from '../../domain/job-rules.ts';
import * as queries from '../../queries/jobs.ts';
import { assertDistrictAllowed, checkJob, referenceErrors, refuseJob } from './check-job.ts';
import { assertUnchanged, jobAnswer } from './job-answer.ts';
import { retryChange } from './retry-change.ts';

/**
 * Changes the supplied fields only; rules between fields apply to the merged job. Writes nothing if nothing changes.
 * Throws in this order: 404, 412 `changed`, 422, and 403 `permission` for a district that the company may not publish in.
 */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
): Promise<Reply<'updateJob'>> {
  const { tenant, autoPublish } = ctx.actor;
  const id = jobId(path.id);
  return retryChange(async () => {
    const found = await queries.findRevision(ctx.db, tenant, id);
    if (!found) throw jobNotFound();
    const { job: stored } = found;
    assertUnchanged(ctx, header['If-Match'], stored);
    const checked = await checkJob(ctx, body, { ...asInput(stored), ...body });
    const errors = [...(checked.kind === 'invalid' ? checked.errors : []), ...(await referenceErrors(ctx, body))];
    if (checked.kind === 'invalid' || errors.length > 0) throw invalid(errors);
    if (body.district_id !== stored.district_id) await assertDistrictAllowed(ctx, body.district_id);
    const publishes = autoPublish && policy[tenant.environment].publishes;
    const before = currentStatus(stored, ctx.today);
    const status = statusAfterPatch(before, publishes);
    const isChange = status !== before || changesFields(stored, checked.fields);
    const change = { fields: checked.fields, status, actor: actorName(ctx.actor), now: ctx.now };
    const job = isChange ? await queries.updateJob(ctx.db, tenant, found, change) : stored;
    return job && { status: 200, ...jobAnswer(ctx, job) };
  });
}

export const refuseUpdateJob = (
  ctx: ApiContext,
  { path, body }: PlainRequest,
  known: readonly FieldError[],
): Promise<never> => refuseJob(ctx, body, known, () => storedFields(ctx, path.id));

async function storedFields(ctx: ApiContext, id: unknown): Promise<JobFields | undefined> {
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const job = await queries.findJob(ctx.db, ctx.actor.tenant, BigInt(id));
  return job && asInput(job);
}
