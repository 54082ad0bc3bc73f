import * as z from 'zod';
import { unknownJob } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { reason } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { deleteJob } from '../change-job-sql.ts';
import { jobFields, locateJob, ofJob } from './show-job.ts';

/** Permanently deletes a job of either environment. Its posting stays counted. Throws `invalid_input` and `unknown_job`. */
export const removeJob = declare({
  command: 'job remove',
  title: 'Delete a job permanently',
  label: 'Delete permanently',
  by: ['operator', 'administrator'],
  records: 'job.removed',
  dangerous:
    'The job is deleted for good with its history, and still counts toward the quota. Its idempotency key stays reserved: a repeated create is refused.',
  input: z.object({ ...jobFields, reason: reason().optional() }),
  subject: ofJob,
  done: 'Job {{job_id}} is permanently removed.',
  run: async (ctx, ref) => {
    const job = await locateJob(ctx, ref);
    return recordedFor(ctx, job.companyId, async (tx) => {
      if (!(await deleteJob(tx, job, job.jobId))) throw unknownJob(job.jobId);
      const audit = { environment: job.environment, details: { job_id: Number(job.jobId) } };
      return { result: { ...job, outcome: 'removed' }, audit };
    });
  },
});
