import * as z from 'zod';
import { findNames } from '../../../auth/actor-names-sql.ts';
import type { Context } from '../../../context.ts';
import { actorName } from '../../../domain/actor.ts';
import type { PartialTenant, Tenant } from '../../../domain/environment.ts';
import { rejection, unknownJob } from '../../../domain/errors.ts';
import { versionOf } from '../../../domain/job-version.ts';
import { declareShow, type Subject } from '../../kit/declare.ts';
import { before, companyId, environment, id } from '../../kit/fields.ts';
import { presentJob, storedVersion } from '../job.ts';
import { findJobOwners } from '../job-search-sql.ts';
import { findJob, findJobDetail, listEvents } from '../jobs-sql.ts';

const eventsPerPage = 50;

export interface JobRef extends Tenant {
  readonly jobId: bigint;
}

/** The fields that name a job. */
export const jobFields = {
  jobId: id().meta({ label: 'Job' }),
  companyId: companyId().optional().meta({ hint: 'Without it, the jobs of all companies are searched.' }),
  environment: environment().optional(),
};

/**
 * Returns one job as the API returns it, with its version, the names for its ids, the reason of a denial, and the latest 50 events of its
 * history, oldest first, with the names of their actors. `older` is the cursor for earlier events. Throws `unknown_job`.
 */
export const showJob = declareShow({
  command: 'job show',
  title: 'Show a job and its history',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ ...jobFields, before: before() }),
  read: async (ctx, { before, ...ref }) => {
    const { jobId, tenant, stored, detail } = await findWholeJob(ctx, ref);
    const latest = await listEvents(ctx.db, tenant, jobId, { before, limit: eventsPerPage + 1 });
    const events = latest
      .map(({ isEdit, ...event }, at) => ({ ...event, kind: shownKind({ isEdit, ...event }, latest[at + 1]) }))
      .slice(0, eventsPerPage)
      .reverse();
    const job = presentJob(stored, detail.company.name, ctx.today);
    return {
      ...detail,
      tenant,
      job,
      version: versionOf(job),
      events,
      names: await findNames(
        ctx.db,
        events.map(({ actor }) => ({ companyId: tenant.companyId, actor })),
        ctx.actor.kind === 'user' ? [] : events.map(({ actor }) => actor),
      ),
      isOwnReview: before === undefined && isDecisionOf(latest[0], actorName(ctx.actor)),
      older: latest.length > events.length ? events[0]?.id : undefined,
    };
  },
  shows: ({ tenant, job, version, denialReason, events, older }) => ({
    company_id: tenant.companyId,
    environment: tenant.environment,
    job,
    version,
    denial_reason: denialReason,
    events: events.map(({ createdAt, ...event }) => ({ ...event, created_at: createdAt })),
    next: older,
  }),
});

type JobEvent = Pick<Awaited<ReturnType<typeof listEvents>>[number], 'kind' | 'actor' | 'isEdit'>;

export const isDecisionOf = (event: Pick<JobEvent, 'kind' | 'actor'> | undefined, actor: string): boolean =>
  (event?.kind === 'approved' || event?.kind === 'denied') && event.actor === actor;

/**
 * A person's `updated` event that edits nothing is a resubmission, or undoes that person's review. The database has no separate kinds for
 * these, because processes of the previous build would not know them.
 */
function shownKind({ kind, actor, isEdit }: JobEvent, before: JobEvent | undefined) {
  if (kind !== 'updated' || isEdit || actor.startsWith('credential:')) return kind;
  return isDecisionOf(before, actor) ? ('undone' as const) : ('resubmitted' as const);
}

/** The subject of a form about a job. For its own company's people, the name omits the company. */
export async function ofJob(ctx: Context, ref: PartialRef) {
  const { stored, detail } = await findWholeJob(ctx, ref);
  const name = ctx.actor.kind === 'user' ? stored.title : `${stored.title} (${detail.company.name})`;
  const version = storedVersion(stored, ctx.today);
  return { name, values: { status: stored.status, version } } satisfies Subject;
}

export async function findWholeJob(ctx: Context, ref: PartialRef) {
  const { jobId, ...tenant } = await locateJob(ctx, ref);
  const stored = await findJob(ctx.db, tenant, jobId);
  const detail = await findJobDetail(ctx.db, tenant, jobId);
  if (!stored || !detail) throw unknownJob(jobId);
  return { jobId, tenant, stored, detail };
}

interface PartialRef extends PartialTenant {
  readonly jobId: bigint;
}

/**
 * Finds the company and environment of a job if one of them is not given. Without a company, searches all companies' jobs. Throws
 * `unknown_job` and `several_jobs`.
 */
export async function locateJob(ctx: Context, { jobId, companyId, environment }: PartialRef): Promise<JobRef> {
  if (companyId !== undefined && environment !== undefined) return { jobId, companyId, environment };
  const [tenant, another] = await findJobOwners(ctx.db, jobId, { companyId, environment });
  if (!tenant) throw unknownJob(jobId);
  // Companies that were spread over nodes long ago may share ids (scripts/deploy/install.md).
  if (another) throw rejection('several_jobs', `Several companies have a job ${jobId}: name the company.`, 'jobId');
  return { ...tenant, jobId };
}
