import type { CompanyPerson } from '../../../auth/person.ts';
import { type IssuedCredential, issueCredential } from '../../../operations/credentials/issue-credential.ts';
import { type PageAnswer, type PageContext, page, redirect } from '../../page.ts';
import type { FieldErrors } from '../../parts/field.tsx';
import { passwordErrors } from '../../password-errors.ts';
import { refusedFields } from '../../refused-fields.ts';
import { requireMain } from '../main-account.ts';
import { emptyIssueForm, IssueForm, type IssueInput, readIssueForm } from './issue-form.tsx';
import { SecretPage } from './secret-page.tsx';

type Ctx = PageContext<CompanyPerson>;

/** Where a form that was sent before leads. */
export const sentBefore = (): PageAnswer =>
  redirect('/dashboard/credentials', 'This form was sent before. A secret is shown once and never again.');

async function formPage({ session }: Ctx, typed: IssueInput, errors: FieldErrors, status: number): Promise<PageAnswer> {
  const form = <IssueForm typed={typed} errors={errors} formToken={await session.newFormToken()} />;
  return page('Issue a credential', form, status);
}

export async function showIssueForm(ctx: Ctx): Promise<PageAnswer> {
  requireMain(ctx, 'issue credentials');
  return formPage(ctx, emptyIssueForm, {}, 200);
}

/** Answers with the secret itself, which is nowhere else: loading that page again sends the form a second time, and that is refused. */
export async function issue(ctx: Ctx): Promise<PageAnswer> {
  requireMain(ctx, 'issue credentials');
  if (!(await ctx.session.takeFormToken(ctx.form.text('once')))) return sentBefore();
  const typed = readIssueForm(ctx.form);
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return formPage(ctx, typed, wrong, 422);
  const { label, access, environment, days } = typed;
  if (!access || !environment) return formPage(ctx, typed, choose(typed), 422);
  let issued: IssuedCredential;
  try {
    const request = {
      companyId: ctx.person.company.id,
      environment,
      access,
      label,
      days: ctx.form.wholeNumber('days'),
    };
    issued = await issueCredential(ctx, request);
  } catch (error) {
    return formPage(ctx, { ...typed, days }, refusedFields(error, { label: 'label', days: 'days' }), 422);
  }
  return page('The new credential', <SecretPage {...issued} environment={environment} origin={ctx.origin} />);
}

const choose = ({ access, environment }: IssueInput): FieldErrors => ({
  ...(access ? {} : { access: 'Choose one of these.' }),
  ...(environment ? {} : { environment: 'Choose one of these.' }),
});
