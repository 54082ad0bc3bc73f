import type { Context } from '../context.ts';
import type { Input, Reply } from '../contract/types.ts';
import { presentJob } from '../domain/job.ts';
import * as store from '../store/list-jobs.ts';

const perPageDefault = 25;

/**
 * The company's jobs, newest first. A page past the last is empty. Of one company so many lists are in memory at once as
 * `ctx.lists` allows: a page of a hundred jobs can be 13 MB. Refuses with 503 `overload` when its turn does not come.
 */
export async function listJobs(ctx: Context, { query }: Input<'listJobs'>): Promise<Reply<'listJobs'>> {
  const { page = 1, per_page: perPage = perPageDefault, status } = query;
  await ctx.lists.enter(ctx.caller.tenant.companyId, ctx.answered());
  const { jobs, total } = await store.listJobs(ctx.db, ctx.caller.tenant, { page, perPage }, status, ctx.today);
  return {
    status: 200,
    body: {
      data: jobs.map((job) => presentJob(job, ctx.caller.companyName, ctx.today)),
      meta: { current_page: page, per_page: perPage, total, last_page: Math.max(Math.ceil(total / perPage), 1) },
    },
  };
}
