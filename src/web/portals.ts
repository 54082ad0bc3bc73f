import type { Portal } from '../domain/actor.ts';

interface PortalPolicy {
  readonly base: string;
  readonly cookie: string;
  /** With `strict`, a link from another site to the administration shows its sign-in page. */
  readonly sameSite: 'lax' | 'strict';
  readonly heading: string;
  /** The second half of every page's meta description: "Jobs: part of ...". */
  readonly description: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** What differs between the two portals, besides their pages. */
export const portals: Readonly<Record<Portal, PortalPolicy>> = {
  company: {
    base: '/dashboard',
    cookie: 'vaga_session',
    sameSite: 'lax',
    heading: 'Dashboard',
    description: 'part of the dashboard in which a company manages its credentials, jobs and sandbox on Vaga.',
    links: [
      { href: '/dashboard', text: 'Overview' },
      { href: '/dashboard/credentials', text: 'Credentials' },
      { href: '/dashboard/jobs', text: 'Jobs' },
      { href: '/dashboard/requests', text: 'Requests' },
      { href: '/dashboard/sandbox', text: 'Sandbox' },
      { href: '/dashboard/activity', text: 'Activity' },
    ],
  },
  administrator: {
    base: '/admin',
    cookie: 'vaga_admin_session',
    sameSite: 'strict',
    heading: 'Administration',
    description: 'part of the administration, where administrators review jobs and manage companies on Vaga.',
    links: [
      { href: '/admin', text: 'Overview' },
      { href: '/admin/review', text: 'Review' },
      { href: '/admin/companies', text: 'Companies' },
      { href: '/admin/plans', text: 'Plans' },
      { href: '/admin/categories', text: 'Categories' },
      { href: '/admin/audit', text: 'Audit trail' },
    ],
  },
};
