import { deleteJob } from '../../queries/job-review.ts';
import { lineOf } from '../check-input.ts';
import { unknownJob } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';
import { type JobName, reasonCharactersMax } from './review-job.ts';

/**
 * Deletes a job of either environment for good. Its idempotency key stays reserved, so that a repeated create is 410, and its
 * posting stays counted. Refuses with `invalid_input` and `unknown_job`.
 */
export function removeJob(ctx: ActionContext, job: JobName & { readonly reason?: string | undefined }): Promise<void> {
  const { companyId, environment, jobId } = job;
  const reason = job.reason === undefined ? null : lineOf('reason', job.reason, reasonCharactersMax);
  return recordedFor(ctx, companyId, async (tx) => {
    if (!(await deleteJob(tx, job, jobId))) throw unknownJob(jobId);
    return {
      result: undefined,
      audit: { action: 'job.removed', environment, details: { job_id: Number(jobId), reason } },
    };
  });
}
