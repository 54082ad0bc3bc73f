import type { Schemas } from '../../contract/types.ts';
import type { Tenant } from '../../domain/environment.ts';
import { presentJob } from '../../domain/job.ts';
import type { JobStatus } from '../../domain/status.ts';
import * as store from '../../queries/list-jobs.ts';
import { type Listed, listed, perPage } from '../page.ts';
import type { ActionContext } from '../recorded.ts';

export interface JobFilter extends Tenant {
  /** As a reader sees it today. */
  readonly status?: JobStatus | undefined;
  readonly page: number;
}

/** Jobs of one company and environment, newest first. `company_name` is null: who asks knows the company. */
export async function listJobs(
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
