import type { VNode } from 'preact';
import { sessionHours } from '../auth/page-session.ts';
import { hashSecret } from '../domain/token.ts';
import { exportCompany } from '../operations/companies/people/erase-company.ts';
import { passwordCharactersMin } from '../operations/kit/fields.ts';
import { changePassword } from '../operations/users/people/set-password.ts';
import { releaseName } from '../release.ts';
import { Field, PasswordField } from './components/field.tsx';
import { Action } from './components/operation-form.tsx';
import { FormErrors, type FormState, LanguageButtons, PostForm } from './components/post-form.tsx';
import { type FieldErrors, passwordErrors, tryOperation } from './form.ts';
import { get, type PageAnswer, type PageContext, type Person, page, post, type Route, redirect, useT } from './page.ts';
import { portals } from './portals.ts';

/** Pages of both portals: the person's own account, and signing out. */
export const accountRoutes: readonly Route<Person>[] = [
  get('/account', (ctx) => accountPage(ctx, {})),
  post('/account/password', changeOwnPassword),
  post('/sign-out', signOutBy('signOut'), { isUncounted: true }),
  post('/account/sign-out-everywhere', signOutBy('signOutEverywhere'), { isUncounted: true }),
];

function signOutBy(method: 'signOut' | 'signOutEverywhere') {
  return async ({ session, portal }: PageContext): Promise<PageAnswer> => {
    await session[method]();
    return redirect(`${portals[portal].base}/sign-in`);
  };
}

async function changeOwnPassword(ctx: PageContext): Promise<PageAnswer> {
  const wrong = ctx.form.has('language') ? {} : await passwordErrors(ctx, 'currentPassword');
  return wrong ? accountPage(ctx, wrong) : replacePassword(ctx);
}

/** Handles the form of a password link: sets the new password and signs the person in. */
export const setPassword = (ctx: PageContext) => replacePassword(ctx, hashSecret(ctx.query.get('link') ?? ''));

/** Replaces the password and ends all of the person's sessions. This browser gets a new session. */
async function replacePassword(ctx: PageContext, linkHash?: Uint8Array<ArrayBuffer>): Promise<PageAnswer> {
  const show = linkHash ? showSetPassword : accountPage;
  const { portal, person, session, form } = ctx;
  if (form.text('newPassword') !== form.text('repeatedPassword'))
    return show(ctx, { repeatedPassword: ctx.t('The two new passwords differ.') });
  const change = { confirmedMark: person.passwordMark, linkHash, newPassword: form.text('newPassword') };
  const { result, errors } = await tryOperation(ctx, () => changePassword(ctx, change));
  if (errors) return show(ctx, errors);
  await session.signIn(person.id, result.passwordMark);
  const { base } = portals[portal];
  // Creating the link already ended all sessions, so this notice does not mention them.
  if (linkHash) return redirect(base, ctx.t('Your password is set.'));
  return redirect(`${base}/account`, ctx.t('Your password is changed. All other sessions have ended.'));
}

interface PasswordFormProps extends FormState {
  readonly action: string;
  readonly errors: FieldErrors;
  readonly hint: string;
  readonly button: string;
  readonly children: VNode;
}

function PasswordForm({ hint, button, children, ...form }: PasswordFormProps) {
  const t = useT();
  return (
    <>
      <FormErrors errors={form.errors} />
      <PostForm {...form}>
        {children}
        <PasswordField name="newPassword" label={t('New password')} hint={hint} autocomplete="new-password" />
        <PasswordField name="repeatedPassword" label={t('Confirm new password')} autocomplete="new-password" />
        <button type="submit">{button}</button>
        <LanguageButtons />
      </PostForm>
    </>
  );
}

/** The page of a link that sets a password. */
export const showSetPassword = ({ t, address, person: { email } }: PageContext, errors: FieldErrors = {}): PageAnswer =>
  page(
    t('New password'),
    <article class="narrow container">
      <h1>{t('New password')}</h1>
      <PasswordForm
        action={address}
        values={{ email }}
        errors={errors}
        hint={t('At least {{min}} characters.', { min: passwordCharactersMin })}
        button={t('Set password')}
      >
        <Field name="email" label={t('E-mail address')} type="email" autocomplete="username" readonly />
      </PasswordForm>
    </article>,
    errors,
  );

function accountPage({ person, portal, t }: PageContext, errors: FieldErrors): PageAnswer {
  const { base } = portals[portal];
  const content = (
    <>
      <h1>{t('Your account')}</h1>
      {portal === 'administrator' && <p>{`Vaga ${releaseName}`}</p>}
      <p>
        {t('Signed in as {{email}}. You are signed out {{hours}} hours after signing in.', {
          email: <strong>{person.email}</strong>,
          hours: sessionHours,
        })}
      </p>
      <article class="narrow">
        <h2>{t('Change password')}</h2>
        <PasswordForm
          action={`${base}/account/password`}
          errors={errors}
          hint={t('At least {{charactersMin}} characters. All your other sessions end.', {
            charactersMin: passwordCharactersMin,
          })}
          button={t('Change password')}
        >
          <PasswordField name="currentPassword" label={t('Current password')} />
        </PasswordForm>
      </article>
      {'company' in person && person.isMain && (
        <article class="narrow">
          <h2>{t("Your company's data")}</h2>
          <p>
            {t(
              'Everything that is stored about your company, except secrets, as JSON Lines. Lists of jobs and requests can be exported as CSV on their pages.',
            )}
          </p>
          <Action operation={exportCompany} href={`${base}/export`} />
        </article>
      )}
      <article class="narrow">
        <h2>{t('Sign out everywhere')}</h2>
        <p>{t('If you lost a device or someone may know your password, end all sessions, including this one.')}</p>
        <PostForm action={`${base}/account/sign-out-everywhere`}>
          <button type="submit" class="secondary">
            {t('Sign out everywhere')}
          </button>
        </PostForm>
      </article>
    </>
  );
  return page(t('Your account'), content, errors);
}
