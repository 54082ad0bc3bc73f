import { type AdministratorPerson, findAdministratorPerson } from '../../auth/page-session.ts';
import * as change from '../../operations/companies/people/change-company.ts';
import { createCompany } from '../../operations/companies/people/create-company.ts';
import { eraseCompany, exportCompany } from '../../operations/companies/people/erase-company.ts';
import { endComplimentary, grantComplimentary } from '../../operations/companies/people/grant-complimentary.ts';
import { refuseProduction } from '../../operations/companies/people/request-production.ts';
import { setDistricts } from '../../operations/companies/people/set-districts.ts';
import { endSubscription, setSubscription } from '../../operations/companies/people/set-subscription.ts';
import { revokeCredential } from '../../operations/credentials/people/revoke-credential.ts';
import { removeJob } from '../../operations/jobs/people/remove-job.ts';
import { approveJob, denyJob, resubmitJob, undoReview } from '../../operations/jobs/people/review-job.ts';
import { exportJobs } from '../../operations/jobs/people/search-jobs.ts';
import { withdrawCompanyJob } from '../../operations/jobs/people/withdraw-company-job.ts';
import type { Declaration } from '../../operations/kit/declare.ts';
import { endMaintenance, startMaintenance } from '../../operations/maintenance/people/set-maintenance.ts';
import { addPlan, changePlan } from '../../operations/plans/people/change-plan.ts';
import * as reference from '../../operations/reference/people/change-category.ts';
import { exportRequests } from '../../operations/requests/people/list-requests.ts';
import { createAdministrator, createUser } from '../../operations/users/people/create-account.ts';
import { linkPage } from '../components/link-page.tsx';
import { personPages } from '../components/person-actions.tsx';
import { filePage } from '../file-page.ts';
import { operationPage } from '../operation-page.tsx';
import { get, type PortalPages, post } from '../page.ts';
import { overview } from './admin-overview-page.tsx';
import { categories } from './categories-page.tsx';
import { company, whatIsErased } from './company-page.tsx';
import { afterReview, afterUndo, job, typedReason } from './job-page.tsx';
import * as lists from './lists.tsx';
import { reviewQueue, reviewSelected } from './review-queue-page.tsx';

const companyPage = '/companies/:company';
const jobPage = `${companyPage}/:environment/jobs/:job`;

/** The pages of an operation on the company that their path names. */
const companyPages = (name: string, operation: Declaration, settings = {}) =>
  operationPage(`${companyPage}/${name}`, operation, companyPage, settings);

const categoryPages = (name: string, operation: Declaration) =>
  operationPage(`/categories/:category/${name}`, operation, '/categories');

/** The pages of the service's administrators. */
export const adminPages: PortalPages<AdministratorPerson> = {
  portal: 'administrator',
  findPerson: findAdministratorPerson,
  routes: [
    get('/', overview),
    get('/find', lists.findings),
    get('/review', (ctx) => reviewQueue(ctx)),
    post('/review', reviewSelected, { again: reviewQueue }),
    get('/companies', lists.companies),
    ...operationPage('/companies/create', createCompany, '/companies', { opens: companyPage }),
    get(companyPage, company),
    ...companyPages('approve', change.approveCompany),
    ...companyPages('refuse', refuseProduction),
    ...companyPages('unapprove', change.withdrawApproval),
    ...companyPages('suspend', change.suspendCompany),
    ...companyPages('reinstate', change.reinstateCompany),
    ...companyPages('set', change.changeCompany),
    ...companyPages('subscribe', setSubscription),
    ...companyPages('unsubscribe', endSubscription),
    ...companyPages('grant', grantComplimentary),
    ...companyPages('end-grant', endComplimentary),
    ...companyPages('districts', setDistricts, { button: 'Save regions' }),
    ...companyPages('export', exportCompany),
    ...operationPage(`${companyPage}/erase`, eraseCompany, '/companies', { about: whatIsErased }),
    ...operationPage(`${companyPage}/create-user`, createUser, companyPage, { resultPage: linkPage }),
    ...personPages('users', `${companyPage}/people`, companyPage),
    ...companyPages('credentials/:credential/revoke', revokeCredential),
    get('/jobs', lists.allJobs),
    filePage(`${companyPage}/:environment/jobs.csv`, exportJobs),
    filePage(`${companyPage}/:environment/requests.csv`, exportRequests),
    get(jobPage, (ctx) => job(ctx)),
    ...operationPage(`${jobPage}/approve`, approveJob, jobPage, { form: job, leadsTo: afterReview }),
    ...operationPage(`${jobPage}/deny`, denyJob, jobPage, { form: job, leadsTo: afterReview, typed: typedReason }),
    ...operationPage(`${jobPage}/undo`, undoReview, jobPage, { form: job, leadsTo: afterUndo }),
    ...operationPage(`${jobPage}/resubmit`, resubmitJob, jobPage),
    ...operationPage(`${jobPage}/withdraw`, withdrawCompanyJob, jobPage),
    ...operationPage(`${jobPage}/remove`, removeJob, '/jobs'),
    get('/requests', lists.requests),
    get('/requests/:company/:environment/:request', lists.request),
    get('/plans', lists.plans),
    ...operationPage('/plans/add', addPlan, '/plans'),
    ...operationPage('/plans/:plan/change', changePlan, '/plans'),
    get('/categories', categories),
    ...operationPage('/categories/add', reference.addCategory, '/categories'),
    ...categoryPages('rename', reference.renameCategory),
    ...categoryPages('move', reference.moveCategory),
    ...categoryPages('activate', reference.activateCategory),
    ...categoryPages('deactivate', reference.deactivateCategory),
    get('/administrators', lists.administrators),
    ...operationPage('/administrators/create', createAdministrator, '/administrators', { resultPage: linkPage }),
    ...personPages('administrators', '/administrators', '/administrators'),
    get('/audit', lists.audit),
    ...operationPage('/maintenance/start', startMaintenance, ''),
    ...operationPage('/maintenance/end', endMaintenance, ''),
  ],
};
