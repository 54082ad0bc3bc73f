import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { wholeBody } from '../../../contract/document.ts';
import { actorName } from '../../../domain/actor.ts';
import { policy } from '../../../domain/environment.ts';
import {
  ApiError,
  invalidFields,
  jobChanged,
  notAllowed,
  nothingToChange,
  unknownJob,
} from '../../../domain/errors.ts';
import { versionOf } from '../../../domain/job-version.ts';
import { showCompany } from '../../companies/people/show-company.ts';
import { declare } from '../../declare.ts';
import { jobPatch, version } from '../../fields.ts';
import { recordedFor } from '../../recorded.ts';
import * as queries from '../change-job-sql.ts';
import { asInput, currentStatus, type Job, presentJob } from '../job.ts';
import { findJob } from '../jobs-sql.ts';
import { assertJudged, patchJob } from '../patch-job.ts';
import { statusAfterPatch } from '../transitions.ts';
import { findWholeJob, type JobRef, jobFields, locateJob } from './show-job.ts';

/**
 * Changes a job's fields like a PATCH, with the same checks and outcome. Refused while the environment is closed to the company. Throws
 * `unknown_job`, `not_allowed`, `job_changed`, and `invalid_input` with a PATCH's messages.
 */
export const updateCompanyJob = declare({
  command: 'job update',
  title: 'Change a job',
  label: 'Change the job',
  by: ['operator', 'main account'],
  records: 'job.updated',
  input: z.object({ ...jobFields, patch: jobPatch(), version: version() }),
  subject: async (ctx, given) => {
    const { jobId, tenant, stored, detail } = await findWholeJob(ctx, given);
    const { autoPublish } = await ownerOf(ctx, { ...tenant, jobId });
    const job = presentJob(stored, detail.company.name, ctx.today);
    const after = statusAfterPatch(job.status, autoPublish && policy[tenant.environment].publishes);
    const { denialReason } = detail;
    const values = {
      patch: asInput(stored),
      version: versionOf(job),
      status: job.status,
      after,
      denialReason,
      ...tenant,
    };
    return { name: job.title, values };
  },
  run: async (ctx, { patch: fields, version: read, ...given }) => {
    if (Object.keys(fields).length === 0) throw nothingToChange();
    const ref = await locateJob(ctx, given);
    const { jobId: id, ...tenant } = ref;
    const owner = await ownerOf(ctx, ref);
    const owned = { ...ctx, actor: owner, nameOf: (name: string) => name };
    const assertUnchanged = (job: Job) => {
      if (read !== undefined && read !== versionOf(job)) throw jobChanged();
    };
    const write = async (update: queries.Update) => {
      // Sanitizing takes up to ten seconds.
      await ownerOf(ctx, ref);
      return recordedFor(ctx, tenant.companyId, async (tx) => {
        const result = await queries.updateJob(queries.rowsIn(tx), tenant, id, update);
        const isWritten = result.refusals.length === 0;
        const details = { job_id: Number(id), fields: Object.keys(update.fields) };
        return { result, audit: isWritten ? { environment: tenant.environment, details } : null };
      });
    };
    try {
      const stored = await findJob(ctx.db, tenant, id);
      if (!stored) throw unknownJob(id);
      assertUnchanged(presentJob(stored, owner.companyName, ctx.today));
      // Loading it takes a fifth of a second, and no other command needs it.
      const { contractErrors } = await import('../../../contract/validate.ts');
      const request = {
        operationId: 'updateJob',
        path: { id: stored.id },
        query: {},
        header: {},
        body: fields,
      } as const;
      await assertJudged(owned, stored, fields, contractErrors(request, owned.nameOf));
      const patch = { id, read: stored, fields, actor: actorName(ctx.actor), assertUnchanged, write };
      const job = await patchJob(owned, patch);
      return { ...ref, status: currentStatus(job, ctx.today) };
    } catch (error) {
      throw asRejection(error, id);
    }
  },
  done: ({ status, environment }) =>
    status === 'pending' && environment === 'production'
      ? 'The job is changed and waits for review.'
      : 'The job is changed.',
});

/** The company whose job is changed. Throws `not_allowed` if the environment is closed to it. */
async function ownerOf(ctx: Context, { companyId, environment }: JobRef) {
  const { name: companyName, autoPublish, access } = await showCompany(ctx, { companyId });
  if (access[environment].kind === 'closed') throw notAllowed();
  return { tenant: { companyId, environment }, companyName, autoPublish };
}

/** The refusals of a PATCH, by the names of this operation's input. */
function asRejection(error: unknown, jobId: bigint): unknown {
  if (!(error instanceof ApiError) || error.fields) return error;
  const { status, code, message, details } = error;
  if (code === 'job') return unknownJob(jobId);
  const isOfField = code === 'permission' && details.field !== undefined;
  if (status !== 422 && !isOfField) return error;
  const refused = isOfField ? { [String(details.field)]: message } : details;
  const fields = Object.entries(refused).map(([field, messages]) => [
    field === wholeBody ? 'patch' : `job.${field}`,
    { text: [messages].flat().join('; and ') },
  ]);
  return invalidFields(Object.fromEntries(fields));
}
