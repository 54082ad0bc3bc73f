import { type AdministratorPerson, findAdministratorPerson } from '../../auth/person.ts';
import { get, type PortalPages, post } from '../page.ts';
import { audit } from './audit.tsx';
import { activateCategory, categories, deactivateCategory } from './categories.tsx';
import { companies } from './companies/companies.tsx';
import * as actions from './companies/company-actions.ts';
import { company } from './companies/company-page.tsx';
import { companyJobs, reviewQueue } from './jobs/job-lists.tsx';
import { approve, deny, job } from './jobs/job-page.tsx';
import { remove, showRemove } from './jobs/remove-job.tsx';
import { overview } from './overview.tsx';
import { plans, savePlan } from './plans.tsx';

/** The pages of the service's administrators. */
export const adminPages: PortalPages<AdministratorPerson> = {
  portal: 'administrator',
  findPerson: findAdministratorPerson,
  describePerson: (_person, t) => t('Administrator'),
  routes: [
    get('/', overview),
    get('/review', reviewQueue),
    get('/companies', companies),
    get('/companies/:company', company),
    post('/companies/:company/approve', actions.approve),
    post('/companies/:company/suspend', actions.suspend),
    post('/companies/:company/reinstate', actions.reinstate),
    post('/companies/:company/verify', actions.verify),
    post('/companies/:company/unverify', actions.unverify),
    post('/companies/:company/auto-publish', actions.autoPublish),
    post('/companies/:company/review-jobs', actions.reviewJobs),
    post('/companies/:company/subscription', actions.setPlan),
    post('/companies/:company/grant', actions.grant),
    post('/companies/:company/end-grant', actions.endGrant),
    post('/companies/:company/districts', actions.limitRegions),
    post('/companies/:company/credentials/:credential/revoke', actions.revoke),
    get('/companies/:company/:environment/jobs', companyJobs),
    get('/companies/:company/:environment/jobs/:job', job),
    post('/companies/:company/:environment/jobs/:job/approve', approve),
    post('/companies/:company/:environment/jobs/:job/deny', deny),
    get('/companies/:company/:environment/jobs/:job/remove', showRemove),
    post('/companies/:company/:environment/jobs/:job/remove', remove),
    get('/plans', plans),
    post('/plans', savePlan),
    get('/categories', categories),
    post('/categories/:category/activate', activateCategory),
    post('/categories/:category/deactivate', deactivateCategory),
    get('/audit', audit),
  ],
};
