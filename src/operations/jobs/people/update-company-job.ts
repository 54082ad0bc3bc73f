import * as z from 'zod';
import { operationOf } from '../../../contract/document.ts';
import { actorName } from '../../../domain/actor.ts';
import { policy } from '../../../domain/environment.ts';
import { ApiError, changedSinceRead, nothingToChange, unknownJob } from '../../../domain/errors.ts';
import { asSent } from '../../../domain/field-rules.ts';
import { versionOf } from '../../../domain/job-version.ts';
import { accessNow, closedBy, requireAccess } from '../../companies/company-access.ts';
import { allowedDistrictIds } from '../../companies/people/set-districts.ts';
import { type ChoicesOf, declare } from '../../kit/declare.ts';
import { checkInput, json, version } from '../../kit/fields.ts';
import { bodyErrors, inFormNames } from '../../kit/persons-body.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { referenceChoices } from '../../reference/people/reference-choices.ts';
import * as queries from '../change-job-sql.ts';
import { currentStatus, type Job, jobRules, presentJob } from '../job.ts';
import { findJob } from '../jobs-sql.ts';
import { assertJudged, patchJob } from '../patch-job.ts';
import { statusAfterPatch } from '../transitions.ts';
import { findWholeJob, jobFields, locateJob } from './show-job.ts';

/** The districts in which the job's company may publish, and the job's own. Not every environment has that limit. */
const permittedDistricts: ChoicesOf = async (ctx, given) => {
  const { tenant, stored } = await findWholeJob(ctx, checkInput(z.object(jobFields), given));
  const { checksDistricts } = policy[tenant.environment];
  const permitted = checksDistricts ? await allowedDistrictIds(ctx.db, tenant.companyId) : [];
  const isOffered = (id: number) => permitted.length === 0 || permitted.includes(id) || id === stored.district_id;
  return (await referenceChoices.districts(ctx)).filter(([id]) => isOffered(Number(id)));
};

const offered = { ...referenceChoices, districts: permittedDistricts };
const choices = Object.fromEntries(
  [...jobRules].flatMap(([field, { references }]) => (references ? [[`job.${field}`, offered[references]]] : [])),
);

/** The version of a form, which covers the job and what saving it leads to. */
const formVersionOf = (job: Job, publishes: boolean): string =>
  `${versionOf(job)}/${statusAfterPatch(job.status, publishes)}`;

/**
 * Changes a job's fields like a PATCH, with the same checks and outcome. Throws `environment_closed`, `unknown_job`, `changed` (also if
 * the outcome is no longer what the form said), and `invalid_input` with a PATCH's messages.
 */
export const updateCompanyJob = declare({
  command: 'job update',
  title: 'Change a job',
  label: 'Change the job',
  by: ['operator', 'main account'],
  records: 'job.updated',
  input: z.object({
    ...jobFields,
    patch: json().meta({
      hint: 'JSON of the fields to change, as in PATCH; - is standard input.',
      example: 'job.json',
    }),
    version: version(),
  }),
  choices,
  subject: async (ctx, given) => {
    const { tenant, stored, detail } = await findWholeJob(ctx, given);
    const { publishes, blockers } = await accessNow(ctx, ctx.db, tenant);
    const job = presentJob(stored, detail.company.name, ctx.today);
    const after = statusAfterPatch(job.status, publishes);
    const { denialReason } = detail;
    const values = {
      patch: asSent(jobRules, stored),
      version: formVersionOf(job, publishes),
      status: job.status,
      after,
      denialReason,
      ...tenant,
    };
    return { name: job.title, values, ...closedBy(blockers) };
  },
  run: async (ctx, { patch: fields, version: read, ...given }) => {
    if (Object.keys(fields).length === 0) throw nothingToChange();
    const ref = await locateJob(ctx, given);
    const { jobId: id, ...tenant } = ref;
    const { name: companyName, autoPublish, ...access } = await requireAccess(ctx, ctx.db, tenant);
    const owned = { ...ctx, actor: { tenant, companyName, autoPublish } };
    // A command sends the version that `job show` prints, which says nothing of the outcome.
    const assertUnchanged = (job: Job, { publishes } = access) => {
      if (read !== undefined && ![versionOf(job), formVersionOf(job, publishes)].includes(read))
        throw changedSinceRead();
    };
    const write = (update: queries.Update) =>
      recordedFor(ctx, tenant.companyId, async (tx) => {
        const current = await requireAccess(ctx, tx, tenant);
        assertUnchanged(presentJob(update.read, companyName, ctx.today), current);
        const status = statusAfterPatch(currentStatus(update.read, ctx.today), current.publishes);
        const result = await queries.updateJob(tx, tenant, id, { ...update, status });
        const isWritten = result.refusals.length === 0;
        const details = { job_id: Number(id), fields: Object.keys(update.fields) };
        return { result, audit: isWritten ? { environment: tenant.environment, details } : null };
      });
    try {
      const stored = await findJob(ctx.db, tenant, id);
      if (!stored) throw unknownJob(id);
      assertUnchanged(presentJob(stored, companyName, ctx.today));
      const errors = await bodyErrors(operationOf('updateJob'), jobRules, fields, ctx.today);
      await assertJudged(owned, stored, fields, errors);
      const patch = { id, read: stored, fields, actor: actorName(ctx.actor), assertUnchanged, write };
      const job = await patchJob(owned, patch);
      return { ...ref, status: currentStatus(job, ctx.today) };
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'job';
      throw isGone ? unknownJob(id) : inFormNames(error, 'job', 'patch');
    }
  },
  done: ({ status, environment }) =>
    status === 'pending' && environment === 'production'
      ? 'The job is changed and waits for review.'
      : 'The job is changed.',
});
