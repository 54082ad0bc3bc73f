import { approveJob, denyJob } from '../../../operations/jobs/review-job.ts';
import type { Form } from '../../form.ts';
import { type PageAnswer, redirect } from '../../page.ts';
import { refusedFields } from '../../refused-fields.ts';
import type { AdminContext } from '../context.ts';
import { jobIn } from './job-name.ts';
import { showJobPage } from './job-page.tsx';

/** Publishes the job, and goes back to the queue. */
export const approve = (ctx: AdminContext): Promise<PageAnswer> =>
  judged(ctx, 'The job is approved and published.', () =>
    approveJob(ctx, { ...jobIn(ctx), revision: revisionIn(ctx.form) }),
  );

/** Sends the job back to the company with the reason. */
export const deny = (ctx: AdminContext): Promise<PageAnswer> =>
  judged(ctx, 'The job is denied; the company sees the reason.', () =>
    denyJob(ctx, { ...jobIn(ctx), revision: revisionIn(ctx.form), reason: ctx.form.text('reason') }),
  );

async function judged(ctx: AdminContext, notice: string, act: () => Promise<void>): Promise<PageAnswer> {
  try {
    await act();
  } catch (error) {
    const errors = refusedFields(error, { reason: 'reason' });
    return showJobPage(ctx, jobIn(ctx), { errors, reason: ctx.form.text('reason') });
  }
  return redirect('/admin/review', notice);
}

const noRevision = -1;

/** A form that lost it judges nothing: no job has that revision. */
function revisionIn(form: Form): number {
  const revision = form.wholeNumber('revision');
  return revision >= 0 && revision <= 2_147_483_647 ? revision : noRevision;
}
