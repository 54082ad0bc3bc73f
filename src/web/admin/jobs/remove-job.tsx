import { reasonCharactersMax } from '../../../operations/fields.ts';
import { removeJob } from '../../../operations/jobs/remove-job.ts';
import { showJob } from '../../../operations/jobs/show-job.ts';
import { Field, TextAreaField } from '../../components/field.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import type { FieldErrors } from '../../form.ts';
import { tryOperation } from '../../form.ts';
import { type AdminContext, type PageAnswer, page, redirect } from '../../page.ts';
import { companyJobsPath, jobIn, jobPath } from '../paths.ts';

export const showRemove = (ctx: AdminContext): Promise<PageAnswer> => removePage(ctx, {});

/** Deletes the job. Repeating its create then answers 410. */
export async function remove(ctx: AdminContext): Promise<PageAnswer> {
  const { removal: texts } = ctx.texts;
  if (ctx.form.text('word').trim() !== texts.word) return removePage(ctx, { word: texts.wrongWord(texts.word) });
  const name = jobIn(ctx);
  const removal = () => removeJob(ctx, { ...name, reason: ctx.form.text('reason') });
  const { errors } = await tryOperation(ctx, removal, { reason: 'reason' });
  return errors ? removePage(ctx, errors) : redirect(companyJobsPath(name), texts.done);
}

async function removePage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const name = jobIn(ctx);
  const { job, company } = await showJob(ctx, name);
  const { removal: texts, forms } = ctx.texts;
  const content = (
    <article class="narrow">
      <h1>{texts.heading(job.title)}</h1>
      <p>{texts.explanation(job.id, company.name)}</p>
      <FormErrors errors={errors} />
      <PostForm action={`${jobPath(name)}/remove`} values={ctx.form.values()} errors={errors}>
        <TextAreaField
          name="reason"
          label={texts.reason}
          hint={texts.reasonHint}
          rows={2}
          required
          maxLength={reasonCharactersMax}
        />
        <Field name="word" label={forms.type(texts.word)} autocomplete="off" required />
        <button type="submit">{texts.button}</button>
      </PostForm>
      <a href={jobPath(name)}>{texts.cancel}</a>
    </article>
  );
  return page(texts.title, content, errors);
}
