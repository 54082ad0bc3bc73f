import { credentialDaysMax, issueCredential } from '../../../operations/credentials/issue-credential.ts';
import { accessNames } from '../../components/credential-table.tsx';
import { Field, PasswordField, SelectField } from '../../components/field.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import type { FieldErrors, FieldValues } from '../../form.ts';
import { passwordErrors, tryOperation } from '../../form.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { environmentOptions } from '../../params.ts';
import { SecretPage } from './secret-page.tsx';

const defaults: FieldValues = { access: 'read', environment: 'sandbox', days: String(credentialDaysMax) };

export const showIssue = (ctx: DashboardContext): Promise<PageAnswer> => issuePage(ctx, defaults, {});

/** Issues a credential and shows its secret. Reloading that page would submit the form again, which is refused. */
export async function issue(ctx: DashboardContext): Promise<PageAnswer> {
  const { form, person, session, origin } = ctx;
  if (!(await session.takeFormToken(form.text('once')))) return alreadySubmitted();
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return issuePage(ctx, form.values(), wrong);
  const access = form.oneOf('access', ['read', 'write'] as const);
  const environment = form.oneOf('environment', ['sandbox', 'production'] as const);
  if (!access || !environment) {
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
  const { result, errors } = await tryOperation(() => issueCredential(ctx, input), { label: 'label', days: 'days' });
  if (errors) return issuePage(ctx, form.values(), errors);
  return page('New credential', <SecretPage {...result} environment={environment} origin={origin} />);
}

const choose = 'Choose one of the options.';

export const alreadySubmitted = (): PageAnswer =>
  redirect('/dashboard/credentials', 'This form was already submitted. A secret is shown only once.');

async function issuePage(ctx: DashboardContext, values: FieldValues, errors: FieldErrors): Promise<PageAnswer> {
  const content = (
    <article class="narrow">
      <h1>Issue a credential</h1>
      <FormErrors errors={errors} />
      <PostForm action="/dashboard/credentials/issue" values={values} errors={errors}>
        <input type="hidden" name="once" value={await ctx.session.newFormToken()} />
        <Field name="label" label="Label" hint="What will use it, such as: website" required maxLength={100} />
        <SelectField
          name="environment"
          label="Environment"
          hint="A production credential works once your company has access to production."
          options={environmentOptions}
        />
        <SelectField name="access" label="Access" options={Object.entries(accessNames)} />
        <Field name="days" label="Days until it expires" type="number" min={1} max={credentialDaysMax} required />
        <PasswordField name="password" label="Your password" />
        <button type="submit">Issue</button>
      </PostForm>
    </article>
  );
  return page('Issue a credential', content, errors);
}
