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
  const { t } = ctx;
  const word = t('REMOVE');
  if (ctx.form.text('word').trim() !== word)
    return removePage(ctx, { word: t('Type {{word}} in capital letters to remove the job.', { word }) });
  const name = jobIn(ctx);
  const removal = () => removeJob(ctx, { ...name, reason: ctx.form.text('reason') });
  const { errors } = await tryOperation(ctx, removal, { reason: 'reason' });
  return errors ? removePage(ctx, errors) : redirect(companyJobsPath(name), t('The job is permanently removed.'));
}

async function removePage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const name = jobIn(ctx);
  const { job, company } = await showJob(ctx, name);
  const { t } = ctx;
  const content = (
    <article class="narrow">
      <h1>{t('Permanently remove {{title}}?', { title: job.title })}</h1>
      <p>
        {t(
          'This deletes job {{id}} of {{companyName}} with its history. Its idempotency key stays reserved: repeating the create answers 410. The job still counts toward the quota. To only hide it from candidates, deny it instead.',
          { id: String(job.id), companyName: company.name },
        )}
      </p>
      <FormErrors errors={errors} />
      <PostForm action={`${jobPath(name)}/remove`} values={ctx.form.values()} errors={errors}>
        <TextAreaField
          name="reason"
          label={t('Reason')}
          hint={t('For the audit trail. The company sees it under Activity.')}
          rows={2}
          required
          maxLength={reasonCharactersMax}
        />
        <Field name="word" label={t('Type {{word}}', { word: t('REMOVE') })} autocomplete="off" required />
        <button type="submit">{t('Remove the job')}</button>
      </PostForm>
      <a href={jobPath(name)}>{t('Cancel and keep the job')}</a>
    </article>
  );
  return page(t('Permanently remove {{title}}?', { title: job.title }), content, errors);
}
