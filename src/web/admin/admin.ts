import { type AdministratorPerson, findAdministratorPerson } from '../../auth/person.ts';
import { listAudit } from '../../operations/audit/list-audit.ts';
import * as change from '../../operations/companies/change-company.ts';
import { createCompany } from '../../operations/companies/create-company.ts';
import { endComplimentary, grantComplimentary } from '../../operations/companies/grant-complimentary.ts';
import { listCompanies } from '../../operations/companies/list-companies.ts';
import { setDistricts } from '../../operations/companies/set-districts.ts';
import { endSubscription, setSubscription } from '../../operations/companies/set-subscription.ts';
import { showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../operations/credentials/revoke-credential.ts';
import { removeJob } from '../../operations/jobs/remove-job.ts';
import { withdrawCompanyJob } from '../../operations/jobs/review-job.ts';
import { searchJobs, searchQueue } from '../../operations/jobs/search-jobs.ts';
import { showJob } from '../../operations/jobs/show-job.ts';
import { createAdministrator, createUser } from '../../operations/people/create-account.ts';
import { administrators as listAdministrators, listUsers } from '../../operations/people/list-users.ts';
import { listPlans } from '../../operations/plans/list-plans.ts';
import { setPlan } from '../../operations/plans/set-plan.ts';
import * as reference from '../../operations/reference/change-category.ts';
import { reviewStatistics } from '../../operations/statistics/review-statistics.ts';
import { type Doing, operationPage } from '../operation-page.tsx';
import { get, type PortalPages, post } from '../page.ts';
import { overview } from './admin-overview-page.tsx';
import * as subjects from './admin-subjects.ts';
import { categories } from './categories-page.tsx';
import { company } from './company-page.tsx';
import { approve, deny, job } from './job-page.tsx';
import * as lists from './lists.tsx';

const companyPage = '/companies/:company';
const jobsPage = `${companyPage}/:environment/jobs`;

/** An operation on the company of the page. */
const ofCompany = (name: string, operation: Doing<unknown>, subject = subjects.company) =>
  operationPage(`${companyPage}/${name}`, operation, companyPage, { subject });

const ofCategory = (name: string, operation: Doing<unknown>) =>
  operationPage(`/categories/:category/${name}`, operation, '/categories', { subject: subjects.category });

/** The pages of the service's administrators. */
export const adminPages: PortalPages<AdministratorPerson> = {
  portal: 'administrator',
  findPerson: findAdministratorPerson,
  routes: [
    get('/', overview, reviewStatistics),
    get('/review', lists.reviewQueue, searchQueue),
    get('/companies', lists.companies, listCompanies),
    ...operationPage('/companies/create', createCompany, '/companies', { subject: subjects.choiceOfPlan }),
    get(companyPage, company, showCompany, listCredentials, listUsers),
    ...ofCompany('approve', change.approveCompany),
    ...ofCompany('suspend', change.suspendCompany),
    ...ofCompany('reinstate', change.reinstateCompany),
    ...ofCompany('set', change.changeCompany),
    ...ofCompany('subscribe', setSubscription, subjects.subscription),
    ...ofCompany('unsubscribe', endSubscription),
    ...ofCompany('grant', grantComplimentary, subjects.grant),
    ...ofCompany('end-grant', endComplimentary),
    ...ofCompany('districts', setDistricts, subjects.districts),
    ...ofCompany('create-user', createUser),
    ...ofCompany('credentials/:credential/revoke', revokeCredential, subjects.credential),
    get(jobsPage, lists.companyJobs, searchJobs),
    get(`${jobsPage}/:job`, job, showJob),
    post(`${jobsPage}/:job/approve`, approve),
    post(`${jobsPage}/:job/deny`, deny),
    ...operationPage(`${jobsPage}/:job/withdraw`, withdrawCompanyJob, `${jobsPage}/:job`, { subject: subjects.job }),
    ...operationPage(`${jobsPage}/:job/remove`, removeJob, jobsPage, { subject: subjects.job }),
    get('/plans', lists.plans, listPlans),
    ...operationPage('/plans/set', setPlan, '/plans', { subject: subjects.plan }),
    get('/categories', categories, reference.categories, reference.listMainAreas),
    ...operationPage('/categories/add', reference.addCategory, '/categories', { subject: subjects.choiceOfParent }),
    ...ofCategory('rename', reference.renameCategory),
    ...ofCategory('activate', reference.activateCategory),
    ...ofCategory('deactivate', reference.deactivateCategory),
    get('/administrators', lists.administrators, listAdministrators),
    ...operationPage('/administrators/create', createAdministrator, '/administrators'),
    get('/audit', lists.audit, listAudit),
  ],
};
