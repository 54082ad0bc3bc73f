import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Reply } from '../../../contract/types.ts';
import { actorName } from '../../../domain/actor.ts';
import { policy } from '../../../domain/environment.ts';
import { forbidden } from '../../../domain/errors.ts';
import { type Fields, newRow } from '../../../domain/field-rules.ts';
import type { FieldError } from '../../../domain/message.ts';
import {
  createdGone,
  createOrReplay,
  differingFields,
  type FieldHashes,
  fieldHashes,
  repeatableKey,
  replayOf,
  usedElsewhere,
  usedWithOther,
} from '../../kit/api/fingerprint.ts';
import { locationOf } from '../../kit/api/location.ts';
import * as queries from '../change-job-sql.ts';
import { assertPlace, checkJob, refuseJob } from '../check-job.ts';
import { jobAnswer, jobRules, type StoredJob } from '../job.ts';

/**
 * Creates a job, or replays the answer if the idempotency key has already created one. Any failed create may repeat an earlier success, so
 * the key is looked up before anything is refused. For a used key, throws 409 if the JSON differs and 410 if the job was removed; otherwise
 * throws 422, 403 `permission` or `quota`, or 503. A refused create leaves the key unused.
 */
export async function createJob(ctx: ApiContext, { header, body }: Input<'createJob'>): Promise<Reply<'createJob'>> {
  const key = header['Idempotency-Key'];
  return createOrReplay(
    () => checkJob(ctx, body),
    () => findReplay(ctx, key, body),
    (fields) => create(ctx, key, body, fields),
  );
}

async function create(ctx: ApiContext, key: string, body: Fields, fields: Fields): Promise<Reply<'createJob'>> {
  const { tenant, autoPublish, entitlement } = ctx.actor;
  const { publishes, checksDistricts } = policy[tenant.environment];
  const { refusals, job, claimed, counted } = await queries.createJob(ctx.db, tenant, {
    key,
    hashes: fieldHashes(body),
    entitlement,
    checksDistricts,
    status: publishes && autoPublish ? 'active' : 'pending',
    actor: actorName(ctx.actor),
    now: ctx.now,
    by: ctx,
    fields,
  });
  // A used key without a job may belong to another operation: findReplay then throws 409.
  if (claimed) return (job ? undefined : await findReplay(ctx, key, body)) ?? replay(ctx, key, { claimed, job }, body);
  assertPlace(refusals);
  if (job) return created(ctx, job, key);
  const { limit, period } = entitlement;
  throw forbidden('quota', policy[tenant.environment].quotaMessage, {
    limit,
    used: counted ?? 0,
    period_end: period?.end ?? null,
  });
}

/** Answers a create that breaks the contract: replays an earlier success with its key, or throws 422. */
export async function refuseCreateJob(
  ctx: ApiContext,
  request: Pick<PlainRequest, 'header' | 'body'>,
  known: readonly FieldError[],
): Promise<Reply<'createJob'>> {
  const { body } = request;
  const key = repeatableKey(request);
  const replayed = key === undefined ? undefined : await findReplay(ctx, key, body);
  return replayed ?? refuseJob(ctx, body, known, newRow(jobRules));
}

function created(ctx: ApiContext, job: StoredJob, key: string): Reply<'createJob'> {
  ctx.about.id = job.id;
  const { headers, body } = jobAnswer(ctx, job, key);
  return { status: 201, headers: { ...headers, Location: locationOf(ctx, 'job', job.id) }, body };
}

/** Answers a create whose key is used: replays its answer, or throws 409 or 410. Returns undefined if the key is unused. */
async function findReplay(ctx: ApiContext, key: string, json: unknown): Promise<Reply<'createJob'> | undefined> {
  const { claimed, resource, job } = await queries.findClaim(ctx.db, ctx.actor.tenant, key);
  if (resource !== null) throw usedElsewhere('job', json);
  return claimed ? replay(ctx, key, { claimed, job }, json) : undefined;
}

function replay(
  ctx: ApiContext,
  key: string,
  { claimed, job }: { readonly claimed: FieldHashes; readonly job: StoredJob | undefined },
  json: unknown,
): Reply<'createJob'> {
  if (job) ctx.about.id = job.id;
  const differing = differingFields(claimed, json);
  if (differing.length > 0) {
    const text = job
      ? 'This {{key}} created a job from different JSON (job_id): read that job and update it; use another key only for another job.'
      : 'This {{key}} was used with different JSON, for a job that is gone; use another key for another job.';
    throw usedWithOther(text, differing, job ? { job_id: job.id } : {});
  }
  if (!job) throw createdGone('job');
  return replayOf(jobAnswer(ctx, job, key));
}
