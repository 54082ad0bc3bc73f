import { credentialDaysMax, issueCredential } from '../../../operations/credentials/issue-credential.ts';
import { accessLabels } from '../../components/credential-table.tsx';
import { Field, PasswordField, SelectField } from '../../components/field.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import type { FieldErrors, FieldValues } from '../../form.ts';
import { passwordErrors, tryOperation } from '../../form.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { environmentOptions, optionsOf } from '../../params.ts';
import { SecretPage } from './secret-page.tsx';

const defaults: FieldValues = { access: 'read', environment: 'sandbox', days: String(credentialDaysMax) };

export const showIssue = (ctx: DashboardContext): Promise<PageAnswer> => issuePage(ctx, defaults, {});

/** Issues a credential and shows its secret. Reloading that page would submit the form again, which is refused. */
export async function issue(ctx: DashboardContext): Promise<PageAnswer> {
  const { form, person, session, origin, t } = ctx;
  if (!(await session.takeFormToken(form.text('once')))) return alreadySubmitted(ctx);
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return issuePage(ctx, form.values(), wrong);
  const access = form.oneOf('access', ['read', 'write'] as const);
  const environment = form.oneOf('environment', ['sandbox', 'production'] as const);
  if (!access || !environment) {
    const choose = t('Choose one of the options.');
    const missing = { ...(access ? {} : { access: choose }), ...(environment ? {} : { environment: choose }) };
    return issuePage(ctx, form.values(), missing);
  }
  const input = {
    companyId: person.company.id,
    environment,
    access,
    label: form.text('label'),
    days: form.wholeNumber('days'),
  };
  const { result, errors } = await tryOperation(ctx, () => issueCredential(ctx, input), {
    label: 'label',
    days: 'days',
  });
  if (errors) return issuePage(ctx, form.values(), errors);
  return page(t('New credential'), <SecretPage {...result} environment={environment} origin={origin} />);
}

export const alreadySubmitted = ({ t }: DashboardContext): PageAnswer =>
  redirect('/dashboard/credentials', t('This form was already submitted. A secret is shown only once.'));

async function issuePage(ctx: DashboardContext, values: FieldValues, errors: FieldErrors): Promise<PageAnswer> {
  const { t } = ctx;
  const content = (
    <article class="narrow">
      <h1>{t('Issue a credential')}</h1>
      <FormErrors errors={errors} />
      <PostForm action="/dashboard/credentials/issue" values={values} errors={errors}>
        <input type="hidden" name="once" value={await ctx.session.newFormToken()} />
        <Field
          name="label"
          label={t('Label')}
          hint={t('What will use it, such as: website')}
          required
          maxLength={100}
        />
        <SelectField
          name="environment"
          label={t('Environment')}
          hint={t('A production credential works once your company has access to production.')}
          options={environmentOptions(t)}
        />
        <SelectField name="access" label={t('Access')} options={optionsOf(accessLabels, t)} />
        <Field name="days" label={t('Days until it expires')} type="number" min={1} max={credentialDaysMax} required />
        <PasswordField name="password" label={t('Your password')} />
        <button type="submit">{t('Issue')}</button>
      </PostForm>
    </article>
  );
  return page(t('Issue a credential'), content, errors);
}
