import type { AdministratorPerson } from '../../../auth/person.ts';
import type { Route } from '../../page.ts';
import { companyActionRoutes, grant, restrict, revoke, subscribe } from './company-actions.ts';
import { companyPage } from './company-page.tsx';
import { companies } from './list.tsx';

export const companyRoutes: readonly Route<AdministratorPerson>[] = [
  { method: 'get', path: '/companies', run: companies },
  { method: 'get', path: '/companies/:company', run: companyPage },
  { method: 'post', path: '/companies/:company/grant', run: grant },
  { method: 'post', path: '/companies/:company/subscription', run: subscribe },
  { method: 'post', path: '/companies/:company/districts', run: restrict },
  { method: 'post', path: '/companies/:company/credentials/:credential/revoke', run: revoke },
  ...companyActionRoutes,
];
