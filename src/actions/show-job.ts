import { presentJob } from '../domain/job.ts';
import { findJobDetail } from '../store/job-detail.ts';
import { findRevision } from '../store/jobs.ts';
import type { ActionContext } from './context.ts';
import { unknownJob } from './errors.ts';
import type { JobName } from './judge-job.ts';

/**
 * One job as the API answers it, with the revision that a verdict names, names for its ids, the reason of a denial and its history.
 * Refuses with `unknown_job` also one of another company or environment.
 */
export async function showJob(ctx: ActionContext, { jobId, ...tenant }: JobName) {
  const [found, detail] = await Promise.all([
    findRevision(ctx.db, tenant, jobId),
    findJobDetail(ctx.db, tenant, jobId),
  ]);
  if (!found || !detail) throw unknownJob(jobId);
  return { ...detail, job: presentJob(found.job, detail.company.name, ctx.today), revision: found.revision };
}
