import { type Portal, portalBase } from '../domain/actor.ts';

interface PortalPolicy {
  readonly base: string;
  readonly cookie: string;
  /** With `strict`, a link from another site to the administration shows its sign-in page. */
  readonly sameSite: 'lax' | 'strict';
  readonly label: string;
  readonly signInLabel: string;
  readonly backLabel: string;
  /** A page's description for search engines. */
  readonly descriptionLabel: string;
  /** The pages in the navigation, by their paths. */
  readonly linkLabels: Readonly<Record<string, string>>;
}

/** What differs between the two portals, besides their pages. */
export const portals: Readonly<Record<Portal, PortalPolicy>> = {
  company: {
    base: portalBase.company,
    cookie: 'vaga_session',
    sameSite: 'lax',
    label: 'Dashboard',
    signInLabel: 'Sign in to the dashboard',
    backLabel: 'Back to the dashboard',
    descriptionLabel:
      '{{page}}: part of the dashboard in which a company manages its credentials, jobs and sandbox on Vaga.',
    linkLabels: {
      '/dashboard': 'Overview',
      '/dashboard/credentials': 'Credentials',
      '/dashboard/jobs': 'Jobs',
      '/dashboard/requests': 'Requests',
      '/dashboard/sandbox': 'Sandbox',
      '/dashboard/activity': 'Activity',
      '/docs': 'API reference',
    },
  },
  administrator: {
    base: portalBase.administrator,
    cookie: 'vaga_admin_session',
    sameSite: 'strict',
    label: 'Administration',
    signInLabel: 'Sign in to the administration',
    backLabel: 'Back to the administration',
    descriptionLabel:
      '{{page}}: part of the administration, where administrators review jobs and manage companies on Vaga.',
    linkLabels: {
      '/admin': 'Overview',
      '/admin/review': 'Review',
      '/admin/jobs': 'Jobs',
      '/admin/companies': 'Companies',
      '/admin/requests': 'Requests',
      '/admin/plans': 'Plans',
      '/admin/categories': 'Categories',
      '/admin/administrators': 'Administrators',
      '/admin/audit': 'Audit trail',
    },
  },
};
