import type { Person, Route } from './page.ts';
import { redirect } from './page.ts';
import { realms } from './realms.ts';

/** Here, and wherever the person is signed in. */
export const signOutRoutes: readonly Route<Person>[] = [
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
