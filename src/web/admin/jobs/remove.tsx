import { removeJob } from '../../../operations/jobs/remove-job.ts';
import { reasonCharactersMax } from '../../../operations/jobs/review-job.ts';
import { showJob } from '../../../operations/jobs/show-job.ts';
import { type PageAnswer, page, redirect } from '../../page.ts';
import { Field, type FieldErrors, FormErrors, TextField } from '../../parts/field.tsx';
import { PostForm } from '../../parts/post-form.tsx';
import { refusedFields } from '../../refused-fields.ts';
import type { AdminContext } from '../context.ts';
import { jobIn, jobPath } from './job-name.ts';

/** What the form asks for, so that nobody removes a job by a slip. */
const removeWord = 'REMOVE';

/** Asks once more: a removed job does not come back. */
export const showRemove = (ctx: AdminContext): Promise<PageAnswer> => removePage(ctx, {});

/** Deletes the job for good: from now on a repetition of its create is answered 410. */
export async function remove(ctx: AdminContext): Promise<PageAnswer> {
  if (ctx.form.text('word').trim() !== removeWord)
    return removePage(ctx, { word: `Type ${removeWord} in capital letters to remove the job.` });
  const name = jobIn(ctx);
  try {
    await removeJob(ctx, { ...name, reason: ctx.form.text('reason') });
  } catch (error) {
    return removePage(ctx, refusedFields(error, { reason: 'reason' }));
  }
  return redirect(`/admin/companies/${name.companyId}/${name.environment}/jobs`, 'The job is removed for good.');
}

async function removePage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const name = jobIn(ctx);
  const { job, company } = await showJob(ctx, name);
  const content = (
    <article class="narrow">
      <h1>{`Remove ${job.title} for good?`}</h1>
      <p>
        {`Job ${job.id} of ${company.name} disappears with its history. Its idempotency key stays reserved: repeating
        the create is answered 410. The posting stays counted. To keep it from candidates only, deny it instead.`}
      </p>
      <FormErrors errors={errors} />
      <PostForm action={`${jobPath(name)}/remove`}>
        <TextField
          name="reason"
          label="Reason"
          hint="For the audit trail; the company reads it under its activity."
          rows={2}
          required
          maxLength={reasonCharactersMax}
          value={ctx.form.text('reason')}
          errors={errors}
        />
        <Field
          name="word"
          label={`Type ${removeWord}`}
          autocomplete="off"
          required
          value={ctx.form.text('word')}
          errors={errors}
        />
        <button type="submit">Remove the job</button>
      </PostForm>
      <a href={jobPath(name)}>Keep the job</a>
    </article>
  );
  return page('Remove a job', content, Object.keys(errors).length > 0 ? 422 : 200);
}
