import type { Context } from '../../context.ts';
import type { Tenant } from '../../domain/environment.ts';
import { rejection, unknownJob } from '../../domain/errors.ts';
import { presentJob } from '../../domain/job.ts';
import { listEvents } from '../../queries/job-events.ts';
import { findJobDetail, findJobOwners } from '../../queries/job-review.ts';
import { findRevision } from '../../queries/jobs.ts';
import type { JobRef } from './review-job.ts';

const eventsPerPage = 50;

interface ShownJob extends JobRef {
  /** The `older` of the page before. */
  readonly before?: bigint | undefined;
}

/**
 * Returns one job as the API answers it, with its revision, the names behind its ids, the reason of a denial, and the latest 50 events of
 * its history, oldest first; `older` is the cursor for the events before. Throws `unknown_job`.
 */
export async function showJob(ctx: Context, { jobId, before, ...tenant }: ShownJob) {
  const [found, detail, latest] = await Promise.all([
    findRevision(ctx.db, tenant, jobId),
    findJobDetail(ctx.db, tenant, jobId),
    listEvents(ctx.db, tenant, jobId, { before, limit: eventsPerPage + 1 }),
  ]);
  if (!found || !detail) throw unknownJob(jobId);
  const events = latest.slice(0, eventsPerPage).reverse();
  return {
    ...detail,
    job: presentJob(found.job, detail.company.name, ctx.today),
    revision: found.revision,
    events,
    older: latest.length > events.length ? events[0]?.id : undefined,
  };
}

/**
 * Finds the company and environment of a job, among all companies' jobs if its company is not given. Only for the operator, who may see
 * every company. Throws `unknown_job` and `several_jobs`.
 */
export async function locateJob(ctx: Context, jobId: bigint, companyId?: bigint): Promise<Tenant> {
  const [tenant, another] = await findJobOwners(ctx.db, jobId, companyId);
  if (!tenant) throw unknownJob(jobId);
  // On Citus, a company's ids go on from its last one after it was moved to another node.
  if (another) throw rejection('several_jobs', `Several companies have a job ${jobId}: name the company.`, 'jobId');
  return tenant;
}
