import type { Router } from 'express';
import { type AdministratorPerson, findAdministratorPerson } from '../../gate/person.ts';
import type { RealmPages } from '../page.ts';
import type { PageDoor } from '../page-door.ts';
import { realmPages } from '../realm-pages.ts';
import { companies } from './companies.tsx';
import { grant, plainActRoutes, revoke, subscribe } from './company-acts.ts';
import { companyJobs } from './company-jobs.tsx';
import { companyPage } from './company-page.tsx';
import { jobPattern } from './job-name.ts';
import { jobPage } from './job-page.tsx';
import { approve, deny } from './judge-job.ts';
import { reviewQueue } from './review-queue.tsx';
import { start } from './start.tsx';

const pages: RealmPages<AdministratorPerson> = {
  realm: 'administrator',
  links: [
    { href: '/admin', text: 'Start' },
    { href: '/admin/review', text: 'Review' },
    { href: '/admin/companies', text: 'Companies' },
  ],
  findPerson: findAdministratorPerson,
  describePerson: () => 'Administrator',
  routes: [
    { method: 'get', path: '/', run: start },
    { method: 'get', path: '/review', run: reviewQueue },
    { method: 'get', path: '/companies', run: companies },
    { method: 'get', path: '/companies/:company', run: companyPage },
    { method: 'get', path: '/companies/:company/:environment/jobs', run: companyJobs },
    { method: 'post', path: '/companies/:company/grant', run: grant },
    { method: 'post', path: '/companies/:company/subscription', run: subscribe },
    { method: 'post', path: '/companies/:company/credentials/:credential/revoke', run: revoke },
    ...plainActRoutes,
    { method: 'get', path: jobPattern, run: jobPage },
    { method: 'post', path: `${jobPattern}/approve`, run: approve },
    { method: 'post', path: `${jobPattern}/deny`, run: deny },
  ],
};

/** The administrator's console. */
export const admin = (door: PageDoor): Router => realmPages(pages, door);
