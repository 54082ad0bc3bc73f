import type { Realm } from '../domain/realm.ts';

interface RealmPolicy {
  readonly base: string;
  readonly cookie: string;
  /** Strict: a link from elsewhere into the console shows its sign-in page. */
  readonly sameSite: 'lax' | 'strict';
  readonly heading: string;
}

/** All that differs between the two sets of pages besides what they show. */
export const realms: Readonly<Record<Realm, RealmPolicy>> = {
  company: { base: '/dashboard', cookie: 'vaga_session', sameSite: 'lax', heading: 'Dashboard' },
  administrator: { base: '/admin', cookie: 'vaga_admin_session', sameSite: 'strict', heading: 'Administration' },
};
