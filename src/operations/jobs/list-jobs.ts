import type { Context } from '../../context.ts';
import type { Input, Reply, Schemas } from '../../contract/types.ts';
import type { Tenant } from '../../domain/environment.ts';
import { type JobStatus, presentJob, type StoredJob } from '../../domain/job.ts';
import * as store from '../../queries/jobs.ts';
import { type Listed, listed, perPage } from '../page.ts';
import type { ActionContext } from '../recorded.ts';

const perPageDefault = 25;

/** Characters of a page that is held as a whole; a larger one (100 of the greatest jobs are 13 MB) is made while it is sent. */
const heldMax = 1024 * 1024;

/**
 * The company's jobs, newest first. A page past the last is empty. Only so many lists of one company are answered at once as
 * `ctx.lists` allows; refuses with 503 `overload` one whose turn does not come.
 */
export async function listJobs(ctx: Context, { query }: Input<'listJobs'>): Promise<Reply<'listJobs'>> {
  const { tenant, companyName } = ctx.caller;
  await ctx.lists.enter(tenant.companyId, ctx.answered());
  const { page = 1, per_page: perPage = perPageDefault, status } = query;
  const { jobs, total } = await store.listJobs(ctx.db, tenant, { page, perPage }, status, ctx.today);
  const meta = { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) };
  const present = (job: StoredJob): Schemas['Job'] => presentJob(job, companyName, ctx.today);
  const characters = jobs.reduce((sum, job) => sum + charactersOf(job), 0);
  if (characters > heldMax) return { status: 200, pieces: () => piecesOf(jobs, present, meta) };
  return { status: 200, body: { data: jobs.map(present), meta } };
}

/** Characters of a job's longest texts: nearly all of its JSON. */
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
    before = ',';
  }
  yield `],"meta":${JSON.stringify(meta)}}`;
}

export interface JobFilter extends Tenant {
  /** As a reader sees it today. */
  readonly status?: JobStatus | undefined;
  readonly page: number;
}

/** Jobs of one company and environment, newest first. `company_name` is null: who asks knows the company. */
export async function listCompanyJobs(
  ctx: ActionContext,
  { page, status, ...tenant }: JobFilter,
): Promise<Listed<Schemas['Job']>> {
  const { jobs, total } = await store.listJobs(ctx.db, tenant, { page, perPage }, status, ctx.today);
  return listed(
    jobs.map((job) => presentJob(job, null, ctx.today)),
    page,
    total,
  );
}
