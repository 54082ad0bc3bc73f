import type { ApiContext } from '../../context.ts';
import type { Input, PlainRequest, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { policy } from '../../domain/environment.ts';
import { jobNotFound, unavailable } from '../../domain/errors.ts';
import { asInput, changesFields, currentStatus, jobId, statusAfterPatch } from '../../domain/job.ts';
import type { FieldError, JobFields } from '../../domain/job-rules.ts';
import * as queries from '../../queries/change-job.ts';
import { findJob, findRevision } from '../../queries/jobs.ts';
import { assertPlace, checkJob, refuseJob } from './check-job.ts';
import { assertUnchanged, jobAnswer } from './job-answer.ts';

const attemptsMax = 10;

/**
 * Changes the supplied fields only; rules between fields apply to the merged job. Writes nothing if nothing changes.
 * Throws in this order: 404, 412 `changed`, 422, 403 `permission` for a district that the company may not publish in,
 * and 503 `database`.
 */
export async function updateJob(
  ctx: ApiContext,
  { path, header, body }: Input<'updateJob'>,
): Promise<Reply<'updateJob'>> {
  const { tenant, autoPublish } = ctx.actor;
  const id = jobId(path.id);
  const { publishes, checksDistricts } = policy[tenant.environment];
  // An attempt loses only if another change of the same job wins.
  for (let attempts = 0; attempts < attemptsMax; attempts++) {
    const found = await findRevision(ctx.db, tenant, id);
    if (!found) throw jobNotFound();
    const { job: stored, revision } = found;
    assertUnchanged(ctx, header['If-Match'], stored);
    const fields = await checkJob(ctx, body, { ...asInput(stored), ...body });
    const before = currentStatus(stored, ctx.today);
    const after = statusAfterPatch(before, autoPublish && publishes);
    const status = after !== before || changesFields(stored, fields) ? after : null;
    const change = { revision, checksDistricts, status, fields, actor: actorName(ctx.actor), now: ctx.now };
    const { refusals, job } = await queries.updateJob(ctx.db, tenant, id, change);
    assertPlace(ctx, refusals);
    if (job && !refusals.includes('changed')) return { status: 200, ...jobAnswer(ctx, job) };
  }
  throw unavailable('database', 'The job is being changed by others; try again.', 1);
}

export const refuseUpdateJob = (
  ctx: ApiContext,
  { path, body }: PlainRequest,
  known: readonly FieldError[],
): Promise<never> => refuseJob(ctx, body, known, () => storedFields(ctx, path.id));

async function storedFields(ctx: ApiContext, id: unknown): Promise<JobFields | undefined> {
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined;
  const job = await findJob(ctx.db, ctx.actor.tenant, BigInt(id));
  return job && asInput(job);
}
