import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Environment, Tenant } from '../../domain/environment.ts';
import { rejection, unknownJob } from '../../domain/errors.ts';
import { presentJob } from '../../domain/job.ts';
import { findJobDetail, findJobOwners, findRevision, listEvents } from '../../queries/jobs.ts';
import { findNames } from '../../queries/names.ts';
import { declareShow } from '../declare.ts';
import { before, companyId, environment, id } from '../fields.ts';

const eventsPerPage = 50;

export interface JobRef extends Tenant {
  readonly jobId: bigint;
}

/** The fields that name a job. */
export const jobFields = {
  jobId: id().meta({ label: 'Job', hint: 'ID of the job.' }),
  companyId: companyId().optional().meta({ hint: 'Without it, the jobs of all companies are searched.' }),
  environment: environment().optional(),
};

/**
 * Returns one job as the API answers it, with its revision, the names behind its ids, the reason of a denial, and the latest 50 events of
 * its history, oldest first, with the names of their actors; `older` is the cursor for the events before. Throws `unknown_job`.
 */
export const showJob = declareShow({
  command: 'job show',
  title: 'Show a job and its history',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ ...jobFields, before: before() }),
  read: async (ctx, { before, ...ref }) => {
    const { jobId, ...tenant } = await locateJob(ctx, ref);
    const found = await findRevision(ctx.db, tenant, jobId);
    const detail = await findJobDetail(ctx.db, tenant, jobId);
    if (!found || !detail) throw unknownJob(jobId);
    const latest = await listEvents(ctx.db, tenant, jobId, { before, limit: eventsPerPage + 1 });
    const events = latest.slice(0, eventsPerPage).reverse();
    return {
      ...detail,
      tenant,
      job: presentJob(found.job, detail.company.name, ctx.today),
      revision: found.revision,
      events,
      names: await findNames(
        ctx.db,
        tenant.companyId,
        events.map(({ actor }) => actor),
      ),
      older: latest.length > events.length ? events[0]?.id : undefined,
    };
  },
  shows: ({ tenant, job, revision, denialReason, events, older }) => ({
    company_id: Number(tenant.companyId),
    environment: tenant.environment,
    job,
    revision,
    denial_reason: denialReason,
    events: events.map(({ createdAt, ...event }) => ({ ...event, created_at: createdAt })),
    next: older,
  }),
});

interface PartialRef {
  readonly jobId: bigint;
  readonly companyId?: bigint | undefined;
  readonly environment?: Environment | undefined;
}

/**
 * Finds the company and environment of a job where they are not given, among all companies' jobs if there is no company.
 * Throws `unknown_job` and `several_jobs`.
 */
export async function locateJob(ctx: Context, { jobId, companyId, environment }: PartialRef): Promise<JobRef> {
  if (companyId !== undefined && environment !== undefined) return { jobId, companyId, environment };
  const [tenant, another] = await findJobOwners(ctx.db, jobId, { companyId, environment });
  if (!tenant) throw unknownJob(jobId);
  // Companies that Citus moved long ago may have the same ids (scripts/deploy/README.md).
  if (another) throw rejection('several_jobs', `Several companies have a job ${jobId}: name the company.`, 'jobId');
  return { ...tenant, jobId };
}
