import { credentialDaysMax, issueCredential } from '../../../operations/credentials/issue-credential.ts';
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
  const { form, person, session, origin, texts } = ctx;
  if (!(await session.takeFormToken(form.text('once')))) return alreadySubmitted(ctx);
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return issuePage(ctx, form.values(), wrong);
  const access = form.oneOf('access', ['read', 'write'] as const);
  const environment = form.oneOf('environment', ['sandbox', 'production'] as const);
  if (!access || !environment) {
    const { choose } = texts.forms;
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
  return page(texts.companyCredentials.newTitle, <SecretPage {...result} environment={environment} origin={origin} />);
}

export const alreadySubmitted = ({ texts }: DashboardContext): PageAnswer =>
  redirect('/dashboard/credentials', texts.companyCredentials.alreadySubmitted);

async function issuePage(ctx: DashboardContext, values: FieldValues, errors: FieldErrors): Promise<PageAnswer> {
  const { companyCredentials: texts, credentials, words } = ctx.texts;
  const content = (
    <article class="narrow">
      <h1>{texts.issue}</h1>
      <FormErrors errors={errors} />
      <PostForm action="/dashboard/credentials/issue" values={values} errors={errors}>
        <input type="hidden" name="once" value={await ctx.session.newFormToken()} />
        <Field name="label" label={texts.label} hint={texts.labelHint} required maxLength={100} />
        <SelectField
          name="environment"
          label={words.environment}
          hint={texts.environmentHint}
          options={environmentOptions(ctx.texts)}
        />
        <SelectField name="access" label={credentials.columns.access} options={optionsOf(credentials.access)} />
        <Field name="days" label={texts.days} type="number" min={1} max={credentialDaysMax} required />
        <PasswordField name="password" label={texts.yourPassword} />
        <button type="submit">{texts.issueButton}</button>
      </PostForm>
    </article>
  );
  return page(texts.issue, content, errors);
}
