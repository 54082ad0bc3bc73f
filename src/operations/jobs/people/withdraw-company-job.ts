import * as z from 'zod';
import { declare } from '../../kit/declare.ts';
import { reason } from '../../kit/fields.ts';
import { decisions } from '../transitions.ts';
import { alreadyWithdrawn, decide } from './decide-job.ts';
import { jobFields, locateJob, ofJob } from './show-job.ts';

/** Withdraws a company's job. Does nothing if the job is already inactive. Throws `unknown_job`. */
export const withdrawCompanyJob = declare({
  command: 'job withdraw',
  title: 'Withdraw a job',
  label: 'Withdraw',
  by: ['operator', 'administrator', 'main account'],
  records: 'job.withdrawn',
  whileSuspended: true,
  dangerous:
    'The job becomes inactive: candidates no longer see it, and no update publishes it again. It still counts toward the quota. This cannot be undone.',
  input: z.object({ ...jobFields, reason: reason().optional() }),
  subject: async (ctx, ref) => {
    const subject = await ofJob(ctx, ref);
    const isWithdrawn = subject.values.status === decisions.withdrawn.to;
    return { ...subject, ...(isWithdrawn && { settled: alreadyWithdrawn }) };
  },
  done: 'The job is withdrawn.',
  run: async (ctx, ref) => decide(ctx, await locateJob(ctx, ref), 'withdrawn'),
});
