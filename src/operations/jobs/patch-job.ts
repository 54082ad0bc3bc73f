import { policy } from '../../domain/environment.ts';
import { notFound } from '../../domain/errors.ts';
import { asSent, changesOf, type Fields } from '../../domain/field-rules.ts';
import type { FieldError } from '../../domain/message.ts';
import { refuseChanged } from '../kit/api/check-fields.ts';
import { retryChange } from '../kit/api/retry-change.ts';
import type { Answer, Update } from './change-job-sql.ts';
import { assertPlace, checkJob } from './check-job.ts';
import { type Job, type JobContext, jobRules, presentJob, type StoredJob } from './job.ts';
import { findJob } from './jobs-sql.ts';
import { statusAfterPatch } from './transitions.ts';

interface Patch {
  readonly id: bigint;
  /** The job, if the caller has just read it. */
  readonly read?: StoredJob | undefined;
  readonly fields: Fields;
  /** The author of the change, as the job's history names it. */
  readonly actor: string;
  /** Throws if the job has changed since the client or person read it. */
  readonly assertUnchanged: (job: Job) => void;
  readonly write: (update: Update) => Promise<Answer>;
}

/**
 * Changes only the supplied fields, for a program or a person. Rules between fields apply to the merged job. Does not check fields that
 * equal the stored value. If no field changes, writes nothing, unless the job is denied: then sends it to review again. Throws in this
 * order: 404, what `assertUnchanged` throws, 422, 403 `permission` for a district where the company may not publish, and 503 `database`.
 */
export async function patchJob(ctx: JobContext, patch: Patch): Promise<StoredJob> {
  const { tenant, autoPublish, companyName } = ctx.actor;
  const { publishes, checksDistricts } = policy[tenant.environment];
  return retryChange('job', async (attempt) => {
    const known = attempt === 0 ? patch.read : undefined;
    const stored = known ?? (await findJob(ctx.db, tenant, patch.id));
    if (!stored) throw notFound('job');
    const shown = presentJob(stored, companyName, ctx.today);
    patch.assertUnchanged(shown);
    const supplied = changesOf(jobRules, stored, patch.fields);
    const fields = changesOf(jobRules, stored, await checkJob(ctx, supplied, asSent(jobRules, stored)));
    // A repeated request changes no field, and must not send a published job to review.
    if (shown.status !== 'denied' && Object.keys(fields).length === 0) return stored;
    const after = statusAfterPatch(shown.status, autoPublish && publishes);
    const { actor } = patch;
    const update = { read: stored, checksDistricts, status: after, fields, actor, now: ctx.now };
    const { refusals, job } = await patch.write(update);
    assertPlace(refusals);
    return refusals.includes('changed') ? undefined : job;
  });
}

/** Throws 422 for changed fields that break the contract; see refuseChanged. */
export const assertJudged = (
  ctx: JobContext,
  stored: StoredJob,
  fields: Fields,
  known: readonly FieldError[],
): Promise<void> =>
  refuseChanged(jobRules, asSent(jobRules, stored), fields, known, (...given) => checkJob(ctx, ...given));
