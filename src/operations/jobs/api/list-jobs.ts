import type { ApiContext } from '../../../context.ts';
import type { Input, PlainRequest, Query, Reply, Schemas } from '../../../contract/types.ts';
import { invalid } from '../../../domain/errors.ts';
import type { FieldError } from '../../../domain/message.ts';
import { listedReply } from '../../kit/api/listed-reply.ts';
import { lastPageOf, type Page } from '../../kit/clauses-sql.ts';
import { findClaim } from '../change-job-sql.ts';
import { currentStatus, presentJob, type StoredJob } from '../job.ts';
import * as queries from '../jobs-sql.ts';
import { changesErrors, hasChangedSince, listChanges, onlyPage } from './list-changes.ts';

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
  return listedReply(jobs, meta, (job): Schemas['Job'] => presentJob(job, companyName, ctx.today));
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
  return queries.listJobs(ctx.db, tenant, { page, perPage }, status, ctx);
}

export async function refuseListJobs(
  _ctx: ApiContext,
  { query }: PlainRequest,
  known: readonly FieldError[],
): Promise<never> {
  throw invalid([...known, ...changesErrors(query)]);
}
