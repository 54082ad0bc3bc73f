import { passwordCharactersMin } from '../operations/fields.ts';
import { changePassword } from '../operations/people/set-password.ts';
import { PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/form.tsx';
import type { FieldErrors } from './form.ts';
import { passwordErrors, tryOperation } from './form.ts';
import { get, type PageAnswer, type PageContext, type Person, page, post, type Route, redirect } from './page.ts';
import { portals } from './portals.ts';

/** Both portals have these: the person's own account, and signing out. */
export const accountRoutes: readonly Route<Person>[] = [
  get('/account', (ctx) => accountPage(ctx, {})),
  post('/account/password', changeOwnPassword),
  post('/sign-out', async ({ session, portal }) => {
    await session.signOut();
    return redirect(`${portals[portal].base}/sign-in`);
  }),
  post('/sign-out-everywhere', async ({ session, portal }) => {
    await session.signOutEverywhere();
    return redirect(`${portals[portal].base}/sign-in`);
  }),
];

/** Ends all sessions of the person; this browser gets a new one. */
async function changeOwnPassword(ctx: PageContext<Person>): Promise<PageAnswer> {
  const { portal, person, session, form } = ctx;
  const wrong = await passwordErrors(ctx, 'currentPassword');
  if (wrong) return accountPage(ctx, wrong);
  const change = {
    portal,
    personId: person.id,
    confirmedMark: person.passwordMark,
    password: form.text('newPassword'),
  };
  const { result, errors } = await tryOperation(ctx, () => changePassword(ctx, change), { password: 'newPassword' });
  if (errors) return accountPage(ctx, errors);
  await session.signIn(person.id, result.passwordMark);
  return redirect(`${portals[portal].base}/account`, ctx.texts.account.changed);
}

function accountPage({ person, portal, texts: { account } }: PageContext<Person>, errors: FieldErrors): PageAnswer {
  const { base } = portals[portal];
  const content = (
    <article class="narrow">
      <h1>{account.title}</h1>
      <p>{account.signedIn(<strong>{person.email}</strong>)}</p>
      <h2>{account.changePassword}</h2>
      <FormErrors errors={errors} />
      <PostForm action={`${base}/account/password`} errors={errors}>
        <PasswordField name="currentPassword" label={account.currentPassword} />
        <PasswordField
          name="newPassword"
          label={account.newPassword}
          hint={account.newPasswordHint(passwordCharactersMin)}
          autocomplete="new-password"
        />
        <button type="submit">{account.change}</button>
      </PostForm>
      <h2>{account.signOutEverywhere}</h2>
      <p>{account.signOutWhy}</p>
      <PostForm action={`${base}/sign-out-everywhere`}>
        <button type="submit" class="secondary">
          {account.signOutEverywhere}
        </button>
      </PostForm>
    </article>
  );
  return page(account.title, content, errors);
}
