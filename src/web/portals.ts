import { type Portal, portalBase } from '../domain/actor.ts';
import { storedResources } from '../operations/stored/stored-resources.ts';
import { storedLabel, storedPath } from './labels.ts';

const storedLinks = Object.fromEntries(
  storedResources.map(({ resource: { table } }) => [portalBase.company + storedPath(table), storedLabel(table)]),
);

/** The differences between the two portals, except their pages. */
export const portals = {
  company: {
    base: portalBase.company,
    cookie: 'vaga_session',
    formCookie: 'vaga_form',
    sameSite: 'lax',
    label: 'Dashboard',
    signInLabel: 'Sign in to the dashboard',
    forgottenLabel:
      "Ask an administrator of this service for a link that sets a new one, yourself or through your company's main account.",
    backLabel: 'Back to the dashboard',
    // The pages' meta description.
    descriptionLabel:
      '{{page}}: part of the dashboard in which a company manages its credentials, jobs and sandbox on Vaga.',
    // The pages in the navigation, by their paths.
    linkLabels: {
      '/dashboard': 'Overview',
      '/dashboard/credentials': 'Credentials',
      '/dashboard/jobs': 'Jobs',
      ...storedLinks,
      '/dashboard/requests': 'Requests',
      '/dashboard/sandbox': 'Sandbox',
      '/dashboard/people': 'People',
      '/dashboard/activity': 'Activity',
      '/docs': 'API reference',
    },
  },
  administrator: {
    base: portalBase.administrator,
    cookie: 'vaga_admin_session',
    formCookie: 'vaga_admin_form',
    // The browser sends no cookie when a link from another site is followed, so the sign-in page is shown.
    sameSite: 'strict',
    label: 'Administration',
    signInLabel: 'Sign in to the administration',
    forgottenLabel:
      'Ask another administrator for a link that sets a new one, or ask the operator, who has a command for it.',
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
} as const satisfies Readonly<Record<Portal, object>>;
