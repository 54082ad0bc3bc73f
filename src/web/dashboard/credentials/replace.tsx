import { credentialDaysMax } from '../../../operations/credentials/issue-credential.ts';
import { hasEnded, showCredential } from '../../../operations/credentials/list-credentials.ts';
import { replaceCredential } from '../../../operations/credentials/replace-credential.ts';
import { accessText, maskedSecret } from '../../components/credential-table.tsx';
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

const overlapLabels = {
  0: 'None, it ends now',
  1: '1 hour',
  24: '1 day',
  168: '7 days',
  336: '14 days',
  720: '30 days',
};

export const credentialIn = ({ person, params }: DashboardContext) => ({
  companyId: person.company.id,
  credentialId: idIn(params, 'credential'),
});

export const showReplace = (ctx: DashboardContext): Promise<PageAnswer> => replacePage(ctx, defaults, {});

/** Replaces a credential and shows the new secret, as issuing one does. */
export async function replace(ctx: DashboardContext): Promise<PageAnswer> {
  const { form, session, now, origin, t } = ctx;
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
    t('New credential'),
    <SecretPage {...result} environment={environment} origin={origin}>
      <p>
        {hasOldEnded
          ? t('The old credential no longer works.')
          : t('The old credential works until {{at}}', { at: <Instant at={result.endsAt} /> })}
      </p>
    </SecretPage>,
  );
}

async function replacePage(ctx: DashboardContext, values: FieldValues, errors: FieldErrors): Promise<PageAnswer> {
  const old = await showCredential(ctx, credentialIn(ctx));
  const { id, label, state, expiresAt } = old;
  const { t } = ctx;
  if (hasEnded(state))
    return redirect('/dashboard/credentials', t('{{label}} no longer works. Issue a new credential.', { label }));
  const content = (
    <article class="narrow">
      <h1>{t('Replace {{label}}', { label })}</h1>
      <p>
        {t(
          'Creates a credential with the same access ({{access}}) to replace {{secret}}, which expires {{expires}}. While both work, both count towards the limit of five.',
          {
            access: accessText(old, t),
            secret: <code>{maskedSecret(old)}</code>,
            expires: <Instant at={expiresAt} />,
          },
        )}
      </p>
      <FormErrors errors={errors} />
      <PostForm action={`/dashboard/credentials/${id}/replace`} values={values} errors={errors}>
        <input type="hidden" name="once" value={await ctx.session.newFormToken()} />
        <SelectField
          name="overlap"
          label={t('How long the old one still works')}
          hint={t('Allow enough time to update every integration.')}
          options={optionsOf(overlapLabels, t)}
        />
        <Field
          name="days"
          label={t('Days until the new one expires')}
          type="number"
          min={1}
          max={credentialDaysMax}
          required
        />
        <PasswordField name="password" label={t('Your password')} />
        <button type="submit">{t('Replace')}</button>
      </PostForm>
      <a href="/dashboard/credentials">{t('Back to the credentials')}</a>
    </article>
  );
  return page(t('Replace {{label}}', { label }), content, errors);
}
