import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Query, Reply, Schemas } from '../../../contract/types.ts';
import { invalid } from '../../../domain/errors.ts';
import type { FieldError } from '../../../domain/message.ts';
import { lastPageOf, type Page } from '../../kit/clauses-sql.ts';
import { findClaim } from '../change-job-sql.ts';
import { currentStatus, presentJob, type StoredJob } from '../job.ts';
import * as queries from '../jobs-sql.ts';
import { changesErrors, hasChangedSince, listChanges, onlyPage } from './list-changes.ts';

/** A page with more characters is streamed rather than serialized in memory: 100 of the largest jobs are 13 MB. */
const heldMax = 1024 * 1024;

/**
 * Lists the company's jobs, newest first, or the jobs changed since an instant, in the order of their changes. A page past the last is
 * empty. Throws 422.
 */
export async function listJobs(
  ctx: ApiContext,
  {
    query,
  }: Input<'listJobs', 'page' | 'per_page' | 'status' | 'updated_since' | 'cursor' | 'idempotency_key' | 'include'>,
): Promise<Reply<'listJobs'>> {
  const errors = changesErrors(query);
  if (errors.length > 0) throw invalid(errors);
  const { tenant, companyName } = ctx.actor;
  const { page, per_page: perPage } = query;
  const { jobs, total, position } = await find(ctx, query, { page, perPage });
  const last_page = lastPageOf(total, perPage);
  const keys = query.include && { idempotency_keys: await queries.findKeys(ctx.db, tenant, jobs) };
  const meta = { current_page: page, per_page: perPage, total, last_page, ...position, ...keys };
  const present = (job: StoredJob): Schemas['Job'] => presentJob(job, companyName, ctx.today);
  const characters = jobs.reduce((sum, job) => sum + charactersOf(job), 0);
  if (characters > heldMax) {
    const list = { data: { [Symbol.iterator]: () => mapped(jobs, present) }, meta };
    return { status: 200, pieces: { length: characters, list, [Symbol.iterator]: () => piecesOf(list) } };
  }
  return { status: 200, body: { data: jobs.map(present), meta } };
}

interface Listed {
  readonly jobs: StoredJob[];
  readonly total: number;
  readonly position?: object;
}

/** Finds the jobs of one page, the total, and what a synchronisation adds to `meta`. */
async function find(ctx: ApiContext, query: Query<'listJobs'>, { page, perPage }: Page): Promise<Listed> {
  const { tenant } = ctx.actor;
  const { status, updated_since: since, cursor, idempotency_key: key } = query;
  if (key !== undefined) {
    const { job } = await findClaim(ctx.db, tenant, key);
    const isListed = job && (status ?? currentStatus(job, ctx.today)) === currentStatus(job, ctx.today);
    const jobs = isListed && (since === undefined || hasChangedSince(job, since, ctx)) ? [job] : [];
    return { jobs: page === 1 ? jobs : [], total: jobs.length, position: since === undefined ? {} : onlyPage(ctx) };
  }
  if (since !== undefined) return listChanges(ctx, { since, cursor, perPage, status });
  return queries.listJobs(ctx.db, tenant, { page, perPage }, status, ctx.today);
}

export async function refuseListJobs(
  _ctx: ApiContext,
  { query }: PlainRequest,
  known: readonly FieldError[],
): Promise<never> {
  throw invalid([...known, ...changesErrors(query)]);
}

/** Counts the characters of a job's texts, which make up nearly all of its JSON. */
const charactersOf = (job: StoredJob): number =>
  Object.values(job).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

function* mapped<T, U>(items: readonly T[], change: (item: T) => U): Generator<U> {
  for (const item of items) yield change(item);
}

function* piecesOf({ data, meta }: { readonly data: Iterable<object>; readonly meta: object }): Generator<string> {
  let before = '{"data":[';
  for (const item of data) {
    yield before + JSON.stringify(item);
    before = ',\n';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}
