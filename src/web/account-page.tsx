import { sessionHours } from '../auth/page-session.ts';
import { passwordCharactersMin } from '../operations/fields.ts';
import { changePassword } from '../operations/people/set-password.ts';
import { PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/post-form.tsx';
import { type FieldErrors, passwordErrors, tryOperation } from './form.ts';
import { get, type PageAnswer, type PageContext, type Person, page, post, type Route, redirect } from './page.ts';
import { portals } from './portals.ts';

/** Both portals have these: the person's own account, and signing out. */
export const accountRoutes: readonly Route<Person>[] = [
  get('/account', (ctx) => accountPage(ctx, {})),
  post('/account/password', changeOwnPassword),
  post('/sign-out', signOutBy('signOut')),
  post('/account/sign-out-everywhere', signOutBy('signOutEverywhere')),
];

function signOutBy(method: 'signOut' | 'signOutEverywhere') {
  return async ({ session, portal }: PageContext): Promise<PageAnswer> => {
    await session[method]();
    return redirect(`${portals[portal].base}/sign-in`);
  };
}

/** Ends all sessions of the person; this browser gets a new one. */
async function changeOwnPassword(ctx: PageContext): Promise<PageAnswer> {
  const { portal, person, session, form } = ctx;
  const wrong = await passwordErrors(ctx, 'currentPassword');
  if (wrong) return accountPage(ctx, wrong);
  if (form.text('newPassword') !== form.text('repeatedPassword'))
    return accountPage(ctx, { repeatedPassword: ctx.t('The two new passwords differ.') });
  const change = { confirmedMark: person.passwordMark, newPassword: form.text('newPassword') };
  const { result, errors } = await tryOperation(ctx, () => changePassword(ctx, change));
  if (errors) return accountPage(ctx, errors);
  await session.signIn(person.id, result.passwordMark);
  return redirect(`${portals[portal].base}/account`, ctx.t('Your password is changed. All other sessions have ended.'));
}

function accountPage({ person, portal, t }: PageContext, errors: FieldErrors): PageAnswer {
  const { base } = portals[portal];
  const content = (
    <>
      <h1>{t('Your account')}</h1>
      <p>
        {t('Signed in as {{email}}. You are signed out {{hours}} hours after signing in.', {
          email: <strong>{person.email}</strong>,
          hours: sessionHours,
        })}
      </p>
      <article class="narrow">
        <h2>{t('Change password')}</h2>
        <FormErrors errors={errors} />
        <PostForm action={`${base}/account/password`} errors={errors}>
          <PasswordField name="currentPassword" label={t('Current password')} />
          <PasswordField
            name="newPassword"
            label={t('New password')}
            hint={t('At least {{charactersMin}} characters. All your other sessions end.', {
              charactersMin: passwordCharactersMin,
            })}
            autocomplete="new-password"
          />
          <PasswordField name="repeatedPassword" label={t('New password again')} autocomplete="new-password" />
          <button type="submit">{t('Change password')}</button>
        </PostForm>
      </article>
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
