import type { ApiContext } from '../../context.ts';
import { excerpt } from '../../contract/field-errors.ts';
import type { Input, PlainRequest, Reply } from '../../contract/types.ts';
import { actorName } from '../../domain/actor.ts';
import { policy } from '../../domain/environment.ts';
import { ApiError, fieldMessagesMax, forbidden, invalid, refusal, unavailable } from '../../domain/errors.ts';
import { differingFields, fieldHashes } from '../../domain/fingerprint.ts';
import { jobDefaults, type StoredJob } from '../../domain/job.ts';
import type { FieldError } from '../../domain/job-rules.ts';
import { findKey, insertJob } from '../../queries/insert-job.ts';
import { findJob } from '../../queries/jobs.ts';
import { readUsage } from '../../queries/usage.ts';
import { assertDistrictAllowed, checkJob, referenceErrors, refuseJob } from './check-job.ts';
import { jobAnswer } from './job-answer.ts';

type Body = Input<'createJob'>['body'];
type Attempt =
  | { readonly kind: 'created'; readonly job: StoredJob }
  | { readonly kind: 'refused'; readonly refusal: ApiError }
  | { readonly kind: 'not inserted' };

const attemptsMax = 3;

/**
 * Creates a job, or replays the answer of an idempotency key that has already created one.
 * Any failed create may repeat one that succeeded, so the key is looked up before anything is refused:
 * 409 for different JSON, 410 for a removed job; otherwise 422, 403 `quota` or `permission`, 503. A refused create leaves the key unused.
 */
export async function createJob(ctx: ApiContext, { header, body }: Input<'createJob'>): Promise<Reply<'createJob'>> {
  const key = header['Idempotency-Key'];
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const outcome = await attemptCreate(ctx, key, body);
    if (outcome.kind === 'created') return created(ctx, outcome.job);
    const replayed = await replay(ctx, key, body);
    if (replayed) return replayed;
    if (outcome.kind === 'refused') throw outcome.refusal;
    await explainRefusal(ctx, body);
  }
  throw unavailable('database', 'The posting limit is changing; try again.', 1);
}

/** A malformed key is never found. PostgreSQL takes no NUL. */
export async function refuseCreateJob(
  ctx: ApiContext,
  { header, body }: PlainRequest,
  known: readonly FieldError[],
): Promise<Reply<'createJob'>> {
  const key = header['Idempotency-Key'];
  const mayRepeat = typeof key === 'string' && !key.includes('\0') && body !== undefined;
  const replayed = mayRepeat ? await replay(ctx, key, body) : undefined;
  return replayed ?? refuseJob(ctx, body, known, async () => ({}));
}

async function attemptCreate(ctx: ApiContext, key: string, body: Body): Promise<Attempt> {
  const { tenant, autoPublish, entitlement } = ctx.actor;
  const { publishes, checksDistricts } = policy[tenant.environment];
  try {
    const checked = await checkJob(ctx, body, body);
    if (checked.kind === 'invalid')
      return { kind: 'refused', refusal: invalid([...checked.errors, ...(await referenceErrors(ctx, body))]) };
    const job = await insertJob(ctx.db, {
      tenant,
      key,
      hashes: fieldHashes(body),
      entitlement,
      checksDistricts,
      status: publishes && autoPublish ? 'active' : 'pending',
      actor: actorName(ctx.actor),
      now: ctx.now,
      fields: { ...jobDefaults, ...checked.fields },
    });
    return job ? { kind: 'created', job } : { kind: 'not inserted' };
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'refused', refusal: error };
    throw error;
  }
}

function created(ctx: ApiContext, job: StoredJob): Reply<'createJob'> {
  const { headers, body } = jobAnswer(ctx, job);
  const Location = `${ctx.publicUrl}${policy[ctx.actor.tenant.environment].restBase}/jobs/${job.id}`;
  return { status: 201, headers: { ...headers, Location }, body };
}

/** Answers any JSON that was sent with a used key; undefined if the key is unused. */
async function replay(ctx: ApiContext, key: string, json: unknown): Promise<Reply<'createJob'> | undefined> {
  const claimed = await findKey(ctx.db, ctx.actor.tenant, key);
  if (!claimed) return undefined;
  const differing = differingFields(claimed.fieldHashes, json);
  if (differing.length > 0) {
    const message = 'This Idempotency-Key was used with different JSON; use a new key for a new job.';
    const differing_fields = differing.slice(0, fieldMessagesMax).map(excerpt);
    throw refusal(409, 'idempotency_key', message, { differing_fields });
  }
  const job = await findJob(ctx.db, ctx.actor.tenant, claimed.jobId);
  if (!job)
    throw refusal(410, 'job_removed', 'The job that this Idempotency-Key created was removed; the key stays reserved.');
  const { headers, body } = jobAnswer(ctx, job);
  return { status: 200, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
}

/** Throws why a valid job was not inserted; returns if the cause is already gone. */
async function explainRefusal(ctx: ApiContext, body: Body): Promise<void> {
  const errors = await referenceErrors(ctx, body);
  if (errors.length > 0) throw invalid(errors);
  await assertDistrictAllowed(ctx, body.district_id);
  const { tenant, entitlement } = ctx.actor;
  const { limit, period } = entitlement;
  const used = await readUsage(ctx.db, tenant.companyId, entitlement);
  if (limit >= 0 && used >= limit)
    throw forbidden('quota', 'The posting limit is used up.', { limit, used, period_end: period?.end ?? null });
}
