import type { Context } from '../../context.ts';
import { unknownJob } from '../../domain/errors.ts';
import { deleteJob } from '../../queries/job-review.ts';
import { lineOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';
import { type JobRef, reasonCharactersMax } from './review-job.ts';

/**
 * Deletes a job of either environment for good. Its idempotency key stays reserved (a repeated create is 410) and its posting stays
 * counted. Throws `invalid_input` and `unknown_job`.
 */
export function removeJob(ctx: Context, job: JobRef & { readonly reason?: string | undefined }): Promise<void> {
  const { companyId, environment, jobId } = job;
  const reason = job.reason === undefined ? null : lineOf('reason', job.reason, reasonCharactersMax);
  return recordedFor(ctx, companyId, async (tx) => {
    if (!(await deleteJob(tx, job, jobId))) throw unknownJob(jobId);
    const details = { job_id: Number(jobId), reason };
    return { result: undefined, audit: { action: 'job.removed', environment, details } };
  });
}
