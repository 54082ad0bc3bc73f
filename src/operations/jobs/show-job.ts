import { presentJob } from '../../domain/job.ts';
import { findJobDetail, listEvents } from '../../queries/job-review.ts';
import { findRevision } from '../../queries/jobs.ts';
import { unknownJob } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';
import type { JobName } from './review-job.ts';

const eventsPerPage = 50;

interface ShownJob extends JobName {
  /** The oldest event of the page before, for a look further back. */
  readonly before?: bigint | undefined;
}

/**
 * One job as the API answers it, with the revision that a verdict names, names for its ids and the reason of a denial. Of its history
 * the latest fifty events, oldest first, and in `older` what `before` is for those before them.
 * Refuses with `unknown_job` also one of another company or environment.
 */
export async function showJob(ctx: ActionContext, { jobId, before, ...tenant }: ShownJob) {
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
