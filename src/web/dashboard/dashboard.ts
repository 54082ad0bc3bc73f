import type { Router } from 'express';
import { type CompanyPerson, findCompanyPerson } from '../../auth/person.ts';
import type { PortalPages } from '../page.ts';
import type { PageDeps } from '../page-deps.ts';
import { portalPages } from '../portal-pages.ts';
import { activity } from './activity/activity.tsx';
import { credentialRoutes } from './credentials/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { overview } from './overview/overview.tsx';
import { requests } from './requests/requests.tsx';
import { sandboxRoutes } from './sandbox/routes.ts';

export const dashboardPages: PortalPages<CompanyPerson> = {
  portal: 'company',
  links: [
    { href: '/dashboard', text: 'Overview' },
    { href: '/dashboard/credentials', text: 'Credentials' },
    { href: '/dashboard/jobs', text: 'Jobs' },
    { href: '/dashboard/requests', text: 'Requests' },
    { href: '/dashboard/sandbox', text: 'Sandbox' },
    { href: '/dashboard/activity', text: 'Activity' },
  ],
  findPerson: findCompanyPerson,
  companyOf: ({ company }) => company.id,
  describePerson: ({ company }) => company.name,
  routes: [
    { method: 'get', path: '/', run: overview },
    { method: 'get', path: '/activity', run: activity },
    { method: 'get', path: '/requests', run: requests },
    ...credentialRoutes,
    ...jobRoutes,
    ...sandboxRoutes,
  ],
};

/** The pages of a company's people. */
export const dashboard = (deps: PageDeps): Router => portalPages(dashboardPages, deps);
