import { changePassword, passwordCharactersMin } from '../operations/people/set-password.ts';
import { type PageAnswer, type PageContext, type Person, page, type Route, redirect } from './page.ts';
import { type FieldErrors, FormErrors, PasswordField } from './parts/field.tsx';
import { PostForm } from './parts/post-form.tsx';
import { passwordErrors } from './password-errors.ts';
import { portals } from './portals.ts';
import { refusedFields } from './refused-fields.ts';

/** The person's own page: a new password, and the two ways out, here and wherever the person is signed in. */
export const accountRoutes: readonly Route<Person>[] = [
  { method: 'get', path: '/account', run: (ctx) => accountPage(ctx, {}) },
  { method: 'post', path: '/account/password', run: changeOwnPassword },
  {
    method: 'post',
    path: '/sign-out',
    run: async ({ session, portal }) => {
      await session.signOut();
      return redirect(`${portals[portal].base}/sign-in`);
    },
  },
  {
    method: 'post',
    path: '/sign-out-everywhere',
    run: async ({ session, portal }) => {
      await session.signOutEverywhere();
      return redirect(`${portals[portal].base}/sign-in`);
    },
  },
];

/** Ends the person's sessions; this browser goes on with a new one. */
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
  let mark: string;
  try {
    mark = (await changePassword(ctx, change)).passwordMark;
  } catch (error) {
    return accountPage(ctx, refusedFields(error, { password: 'newPassword' }));
  }
  await session.signIn(person.id, mark);
  return redirect(`${portals[portal].base}/account`, 'Your password is changed. All other sessions have ended.');
}

function accountPage({ person, portal }: PageContext<Person>, errors: FieldErrors): PageAnswer {
  const { base } = portals[portal];
  const content = (
    <article class="narrow">
      <h1>Your account</h1>
      <p>
        Signed in as <strong>{person.email}</strong>. A session ends after 30 minutes without a page, and after 12 hours
        in any case.
      </p>
      <h2>Change your password</h2>
      <FormErrors errors={errors} />
      <PostForm action={`${base}/account/password`}>
        <PasswordField name="currentPassword" label="Current password" errors={errors} />
        <PasswordField
          name="newPassword"
          label="New password"
          hint={`At least ${passwordCharactersMin} characters. Your other sessions end; this one goes on.`}
          autocomplete="new-password"
          errors={errors}
        />
        <button type="submit">Change the password</button>
      </PostForm>
      <h2>End all sessions</h2>
      <p>Where a computer was lost, or a password may be known to others, end all sessions, this one too.</p>
      <PostForm action={`${base}/sign-out-everywhere`}>
        <button type="submit" class="secondary">
          Sign out everywhere
        </button>
      </PostForm>
    </article>
  );
  return page('Your account', content, Object.keys(errors).length > 0 ? 422 : 200);
}
