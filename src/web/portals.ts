import type { Portal } from '../domain/actor.ts';
import type { Texts } from './texts/texts.ts';

interface PortalPolicy<P extends Portal> {
  readonly base: string;
  readonly cookie: string;
  /** With `strict`, a link from another site to the administration shows its sign-in page. */
  readonly sameSite: 'lax' | 'strict';
  /** The pages in the navigation, with their paths. */
  readonly links: Readonly<Record<keyof Texts['portals'][P]['links'], string>>;
}

/** What differs between the two portals, besides their pages and texts. */
export const portals: { readonly [P in Portal]: PortalPolicy<P> } = {
  company: {
    base: '/dashboard',
    cookie: 'vaga_session',
    sameSite: 'lax',
    links: {
      overview: '/dashboard',
      credentials: '/dashboard/credentials',
      jobs: '/dashboard/jobs',
      requests: '/dashboard/requests',
      sandbox: '/dashboard/sandbox',
      activity: '/dashboard/activity',
    },
  },
  administrator: {
    base: '/admin',
    cookie: 'vaga_admin_session',
    sameSite: 'strict',
    links: {
      overview: '/admin',
      review: '/admin/review',
      companies: '/admin/companies',
      plans: '/admin/plans',
      categories: '/admin/categories',
      audit: '/admin/audit',
    },
  },
};
