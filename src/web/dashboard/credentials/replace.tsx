import type { CompanyPerson } from '../../../auth/person.ts';
import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { type ReplacedCredential, replaceCredential } from '../../../operations/credentials/replace-credential.ts';
import { type PageAnswer, type PageContext, page, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import type { FieldErrors } from '../../parts/field.tsx';
import { Instant } from '../../parts/when.tsx';
import { passwordErrors } from '../../password-errors.ts';
import { refusedFields } from '../../refused-fields.ts';
import { requireMain } from '../main-account.ts';
import { sentBefore } from './issue.tsx';
import { emptyReplaceForm, ReplaceForm, type ReplaceInput, readReplaceForm } from './replace-form.tsx';
import { SecretPage } from './secret-page.tsx';

type Ctx = PageContext<CompanyPerson>;

function named(ctx: Ctx) {
  requireMain(ctx, 'replace credentials');
  return { companyId: ctx.person.company.id, credentialId: idIn(ctx.params, 'id') };
}

async function formPage(ctx: Ctx, typed: ReplaceInput, errors: FieldErrors): Promise<PageAnswer> {
  const old = await showCredential(ctx, named(ctx));
  if (hasEnded(old.state))
    return redirect('/dashboard/credentials', `${old.label} has ended already: issue a new one.`);
  const form = <ReplaceForm old={old} typed={typed} errors={errors} formToken={await ctx.session.newFormToken()} />;
  return page('Replace a credential', form, Object.keys(errors).length > 0 ? 422 : 200);
}

export const showReplaceForm = (ctx: Ctx): Promise<PageAnswer> => formPage(ctx, emptyReplaceForm, {});

/** Answers with the new secret, as issuing one does. */
export async function replace(ctx: Ctx): Promise<PageAnswer> {
  const name = named(ctx);
  const { environment } = await showCredential(ctx, name);
  if (!(await ctx.session.takeFormToken(ctx.form.text('once')))) return sentBefore();
  const typed = readReplaceForm(ctx.form);
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return formPage(ctx, typed, wrong);
  let replaced: ReplacedCredential;
  try {
    const [overlapHours, days] = [ctx.form.wholeNumber('overlap'), ctx.form.wholeNumber('days')];
    replaced = await replaceCredential(ctx, { ...name, overlapHours, days });
  } catch (error) {
    return formPage(ctx, typed, refusedFields(error, { overlapHours: 'overlap', days: 'days' }));
  }
  const endsNow = replaced.endsAt <= ctx.now;
  return page(
    'The new credential',
    <SecretPage {...replaced} environment={environment} origin={ctx.origin}>
      <p>
        {endsNow ? 'The old one has ended.' : 'The old one works beside it until '}
        {!endsNow && <Instant at={replaced.endsAt} />}
      </p>
    </SecretPage>,
  );
}
