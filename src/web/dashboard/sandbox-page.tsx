import { resetSandbox, showSandbox } from '../../operations/sandbox/people/reset-sandbox.ts';
import { Quota } from '../components/access.tsx';
import { Field } from '../components/field.tsx';
import { FormErrors, PostForm } from '../components/post-form.tsx';
import type { FieldErrors } from '../form.ts';
import { mainAccountLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../page.ts';

/** The confirmation required by section 1 of the requirements. */
const resetWord = 'RESET';

export async function sandbox(ctx: DashboardContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const { t } = ctx;
  const { company, isMain } = ctx.person;
  const { used, capacity } = await showSandbox(ctx, { companyId: company.id });
  const content = (
    <>
      <h1>{t('Sandbox')}</h1>
      <article class="narrow">
        <Quota id="usage" used={used} limit={capacity} period={null} />
      </article>
      {isMain ? (
        <article class="narrow">
          <h2>{t('Reset')}</h2>
          {resetSandbox.dangerous && <p class="alert">{t(resetSandbox.dangerous)}</p>}
          <FormErrors errors={errors} />
          <PostForm action="/dashboard/sandbox/reset" values={ctx.form.values()} errors={errors}>
            <Field name="word" label={t('Type {{word}}', { word: resetWord })} autocomplete="off" required />
            <button type="submit" class="danger">
              {t('Reset the sandbox')}
            </button>
          </PostForm>
        </article>
      ) : (
        <p>{t(mainAccountLabels.sandbox)}</p>
      )}
    </>
  );
  return page(t('Sandbox'), content, errors);
}

export async function reset(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  if (ctx.form.text('word').trim() !== resetWord)
    return sandbox(ctx, { word: t('Type {{word}} in capital letters to reset the sandbox.', { word: resetWord }) });
  const { jobs, keys } = await resetSandbox(ctx, { companyId: ctx.person.company.id });
  return redirect(
    '/dashboard/sandbox',
    t('The sandbox was reset. Jobs deleted: {{jobs}}, idempotency keys: {{keys}}.', { jobs, keys }),
  );
}
