import { type PageAnswer, type PageContext, type Person, page, type Route, redirect } from './page.ts';
import { PostForm } from './parts/post-form.tsx';
import { realms } from './realms.ts';

/** The person's own page, and the two ways out: here, and wherever the person is signed in. */
export const accountRoutes: readonly Route<Person>[] = [
  { method: 'get', path: '/account', run: account },
  {
    method: 'post',
    path: '/sign-out',
    run: async ({ visit, realm }) => {
      await visit.signOut();
      return redirect(`${realms[realm].base}/sign-in`);
    },
  },
  {
    method: 'post',
    path: '/sign-out-everywhere',
    run: async ({ visit, realm }) => {
      await visit.signOutEverywhere();
      return redirect(`${realms[realm].base}/sign-in`);
    },
  },
];

function account({ person, realm }: PageContext<Person>): PageAnswer {
  const { base } = realms[realm];
  return page(
    'Your account',
    <article class="narrow">
      <h1>Your account</h1>
      <p>
        Signed in as <strong>{person.email}</strong>. A session ends after 30 minutes without a page, and after 12 hours
        in any case.
      </p>
      <p>Where a computer was lost, or a password may be known to others, end all sessions, this one too.</p>
      <PostForm action={`${base}/sign-out-everywhere`}>
        <button type="submit" class="secondary">
          Sign out everywhere
        </button>
      </PostForm>
    </article>,
  );
}
