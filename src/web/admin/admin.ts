import type { Router } from 'express';
import { type AdministratorPerson, findAdministratorPerson } from '../../auth/person.ts';
import type { PortalPages } from '../page.ts';
import type { PageDeps } from '../page-deps.ts';
import { portalPages } from '../portal-pages.ts';
import { audit } from './audit/audit.tsx';
import { activate, categories, deactivate } from './categories/categories.tsx';
import { companyRoutes } from './companies/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { plans, set } from './plans/plans.tsx';
import { start } from './start.tsx';

export const adminPages: PortalPages<AdministratorPerson> = {
  portal: 'administrator',
  links: [
    { href: '/admin', text: 'Start' },
    { href: '/admin/review', text: 'Review' },
    { href: '/admin/companies', text: 'Companies' },
    { href: '/admin/plans', text: 'Plans' },
    { href: '/admin/categories', text: 'Categories' },
    { href: '/admin/audit', text: 'Audit' },
  ],
  findPerson: findAdministratorPerson,
  describePerson: () => 'Administrator',
  routes: [
    { method: 'get', path: '/', run: start },
    ...jobRoutes,
    ...companyRoutes,
    { method: 'get', path: '/plans', run: plans },
    { method: 'post', path: '/plans', run: set },
    { method: 'get', path: '/categories', run: categories },
    { method: 'post', path: '/categories/:category/activate', run: activate },
    { method: 'post', path: '/categories/:category/deactivate', run: deactivate },
    { method: 'get', path: '/audit', run: audit },
  ],
};

/** The administrator's console. */
export const admin = (deps: PageDeps): Router => portalPages(adminPages, deps);
