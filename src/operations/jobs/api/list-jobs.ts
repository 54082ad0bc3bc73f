import type { ApiContext } from '../../../context.ts';
import { defaultOf } from '../../../contract/document.ts';
import type { Input, PlainRequest, Reply, Schemas } from '../../../contract/types.ts';
import { invalid } from '../../../domain/errors.ts';
import type { FieldError } from '../../../domain/field-rules.ts';
import { presentJob, type StoredJob } from '../job.ts';
import * as queries from '../jobs-sql.ts';
import { changesErrors, listChanges } from './list-changes.ts';

const pageDefault = defaultOf('listJobs', 'page');
const perPageDefault = defaultOf('listJobs', 'per_page');

/** A longer page is streamed instead of held in memory: 100 of the largest jobs are 13 MB. */
const heldMax = 1024 * 1024;

/**
 * Lists the company's jobs, newest first, or the jobs changed since an instant, in the order of their changes. A page past the last is
 * empty. Throws 422.
 */
export async function listJobs(
  ctx: ApiContext,
  { query }: Input<'listJobs', 'page' | 'per_page' | 'status' | 'updated_since' | 'cursor'>,
): Promise<Reply<'listJobs'>> {
  const errors = changesErrors(query);
  if (errors.length > 0) throw invalid(errors);
  const { tenant, companyName } = ctx.actor;
  const { page = pageDefault, per_page: perPage = perPageDefault, status, updated_since: since, cursor } = query;
  const { jobs, total, position } =
    since === undefined
      ? { ...(await queries.listJobs(ctx.db, tenant, { page, perPage }, status, ctx.today)), position: {} }
      : await listChanges(ctx, { since, cursor, perPage, status });
  const last_page = Math.max(Math.ceil(total / perPage), 1);
  const meta = { current_page: page, per_page: perPage, total, last_page, ...position };
  const present = (job: StoredJob): Schemas['Job'] => presentJob(job, companyName, ctx.today);
  const characters = jobs.reduce((sum, job) => sum + charactersOf(job), 0);
  if (characters > heldMax)
    return {
      status: 200,
      pieces: { length: characters, [Symbol.iterator]: () => piecesOf(jobs, present, meta) },
    };
  return { status: 200, body: { data: jobs.map(present), meta } };
}

export async function refuseListJobs(
  _ctx: ApiContext,
  { query }: PlainRequest,
  known: readonly FieldError[],
): Promise<never> {
  throw invalid([...known, ...changesErrors(query)]);
}

/** The characters of a job's texts, which are nearly all of its JSON. */
const charactersOf = (job: StoredJob): number =>
  Object.values(job).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

function* piecesOf(
  jobs: readonly StoredJob[],
  present: (job: StoredJob) => Schemas['Job'],
  meta: object,
): Generator<string> {
  let before = '{"data":[';
  for (const job of jobs) {
    yield before + JSON.stringify(present(job));
    before = ',\n';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}
