import { credentialDaysMax } from '../../../operations/credentials/issue-credential.ts';
import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { replaceCredential } from '../../../operations/credentials/replace-credential.ts';
import { maskedSecret } from '../../components/credential-table.tsx';
import { Field, PasswordField, SelectField } from '../../components/field.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import { Instant } from '../../components/text.tsx';
import type { FieldErrors, FieldValues } from '../../form.ts';
import { passwordErrors, tryOperation } from '../../form.ts';
import { type DashboardContext, type PageAnswer, page, redirect } from '../../page.ts';
import { idIn, optionsOf } from '../../params.ts';
import { alreadySubmitted } from './issue.tsx';
import { SecretPage } from './secret-page.tsx';

const defaults: FieldValues = { overlap: '24', days: String(credentialDaysMax) };

export const credentialIn = ({ person, params }: DashboardContext) => ({
  companyId: person.company.id,
  credentialId: idIn(params, 'credential'),
});

export const showReplace = (ctx: DashboardContext): Promise<PageAnswer> => replacePage(ctx, defaults, {});

/** Replaces a credential and shows the new secret, as issuing one does. */
export async function replace(ctx: DashboardContext): Promise<PageAnswer> {
  const { form, session, now, origin } = ctx;
  const { companyCredentials: texts } = ctx.texts;
  const name = credentialIn(ctx);
  const { environment } = await showCredential(ctx, name);
  if (!(await session.takeFormToken(form.text('once')))) return alreadySubmitted(ctx);
  const wrong = await passwordErrors(ctx, 'password');
  if (wrong) return replacePage(ctx, form.values(), wrong);
  const input = { ...name, overlapHours: form.wholeNumber('overlap'), days: form.wholeNumber('days') };
  const { result, errors } = await tryOperation(ctx, () => replaceCredential(ctx, input), {
    overlapHours: 'overlap',
    days: 'days',
  });
  if (errors) return replacePage(ctx, form.values(), errors);
  const hasOldEnded = result.endsAt <= now;
  return page(
    texts.newTitle,
    <SecretPage {...result} environment={environment} origin={origin}>
      <p>{hasOldEnded ? texts.oldEnded : texts.oldWorksUntil(<Instant at={result.endsAt} />)}</p>
    </SecretPage>,
  );
}

async function replacePage(ctx: DashboardContext, values: FieldValues, errors: FieldErrors): Promise<PageAnswer> {
  const old = await showCredential(ctx, credentialIn(ctx));
  const { id, label, environment, access, state, expiresAt } = old;
  const { companyCredentials: texts, environments, credentials } = ctx.texts;
  if (hasEnded(state)) return redirect('/dashboard/credentials', texts.endedReplace(label));
  const content = (
    <article class="narrow">
      <h1>{texts.replaceHeading(label)}</h1>
      <p>
        {texts.replaceExplanation(
          environments[environment].lower,
          credentials.accessLower[access],
          <code>{maskedSecret(old)}</code>,
          <Instant at={expiresAt} />,
        )}
      </p>
      <FormErrors errors={errors} />
      <PostForm action={`/dashboard/credentials/${id}/replace`} values={values} errors={errors}>
        <input type="hidden" name="once" value={await ctx.session.newFormToken()} />
        <SelectField
          name="overlap"
          label={texts.overlap}
          hint={texts.overlapHint}
          options={optionsOf(texts.overlaps)}
        />
        <Field name="days" label={texts.newDays} type="number" min={1} max={credentialDaysMax} required />
        <PasswordField name="password" label={texts.yourPassword} />
        <button type="submit">{texts.replaceButton}</button>
      </PostForm>
      <a href="/dashboard/credentials">{texts.cancel}</a>
    </article>
  );
  return page(texts.replaceTitle, content, errors);
}
