import { listAudit } from './audit/people/list-audit.ts';
import * as changeCompany from './companies/people/change-company.ts';
import { createCompany } from './companies/people/create-company.ts';
import { eraseCompany, exportCompany } from './companies/people/erase-company.ts';
import { endComplimentary, grantComplimentary } from './companies/people/grant-complimentary.ts';
import { listCompanies } from './companies/people/list-companies.ts';
import { refuseProduction, requestProduction } from './companies/people/request-production.ts';
import { resetSandbox, showSandbox } from './companies/people/reset-sandbox.ts';
import { setDistricts } from './companies/people/set-districts.ts';
import { endSubscription, setSubscription } from './companies/people/set-subscription.ts';
import { showAccess, showCompany } from './companies/people/show-company.ts';
import { issueCredential } from './credentials/people/issue-credential.ts';
import { listCredentials } from './credentials/people/list-credentials.ts';
import { replaceCredential } from './credentials/people/replace-credential.ts';
import { revokeCredential } from './credentials/people/revoke-credential.ts';
import { find } from './find/people/find.ts';
import { openReview } from './jobs/people/open-review.ts';
import { purgeJobs } from './jobs/people/purge-jobs.ts';
import { removeJob } from './jobs/people/remove-job.ts';
import { approveJob, denyJob, resubmitJob, undoReview } from './jobs/people/review-job.ts';
import { exportJobs, searchAllJobs, searchJobs, searchQueue, showNextInQueue } from './jobs/people/search-jobs.ts';
import { showJob } from './jobs/people/show-job.ts';
import { updateCompanyJob } from './jobs/people/update-company-job.ts';
import { withdrawCompanyJob } from './jobs/people/withdraw-company-job.ts';
import type { Declaration } from './kit/declare.ts';
import { endMaintenance, startMaintenance } from './maintenance/people/set-maintenance.ts';
import { addPlan, changePlan } from './plans/people/change-plan.ts';
import { listPlans } from './plans/people/list-plans.ts';
import * as reference from './reference/people/change-category.ts';
import { listAllDistricts } from './reference/people/list-districts.ts';
import { seedReference } from './reference/people/seed-reference.ts';
import { exportRequests, listRequests, searchRequests } from './requests/people/list-requests.ts';
import { postingsPerDay, requestsPerDay, requestsPerMinute } from './statistics/people/company-statistics.ts';
import { reviewStatistics } from './statistics/people/review-statistics.ts';
import { storedResources } from './stored/stored-resources.ts';
import * as accounts from './users/people/account.ts';
import { createAdministrator, createUser, inviteUser } from './users/people/create-account.ts';
import { endSessions } from './users/people/end-sessions.ts';
import { administrators, listUsers } from './users/people/list-users.ts';
import { setAdministratorPassword, setUserPassword } from './users/people/set-password.ts';

/** Every operation for people, in the order of the command line's help. */
export const declarations: readonly Declaration[] = [
  find,
  listCompanies,
  showCompany,
  showAccess,
  createCompany,
  changeCompany.approveCompany,
  changeCompany.withdrawApproval,
  requestProduction,
  refuseProduction,
  changeCompany.suspendCompany,
  changeCompany.reinstateCompany,
  changeCompany.changeCompany,
  setDistricts,
  setSubscription,
  endSubscription,
  grantComplimentary,
  endComplimentary,
  exportCompany,
  eraseCompany,
  listCredentials,
  issueCredential,
  replaceCredential,
  revokeCredential,
  searchJobs,
  exportJobs,
  searchAllJobs,
  searchQueue,
  showNextInQueue,
  openReview,
  showJob,
  postingsPerDay,
  reviewStatistics,
  approveJob,
  denyJob,
  undoReview,
  resubmitJob,
  updateCompanyJob,
  withdrawCompanyJob,
  purgeJobs,
  removeJob,
  ...storedResources.flatMap(({ list, show, create, update, remove }) => [list, show, create, update, remove]),
  listUsers,
  createUser,
  inviteUser,
  setUserPassword,
  accounts.unlockUser,
  accounts.removeUser,
  administrators,
  createAdministrator,
  setAdministratorPassword,
  accounts.unlockAdministrator,
  accounts.removeAdministrator,
  listPlans,
  addPlan,
  changePlan,
  reference.categories,
  reference.listMainAreas,
  reference.addCategory,
  reference.renameCategory,
  reference.moveCategory,
  reference.activateCategory,
  reference.deactivateCategory,
  listAllDistricts,
  listRequests,
  searchRequests,
  exportRequests,
  requestsPerMinute,
  requestsPerDay,
  listAudit,
  showSandbox,
  resetSandbox,
  startMaintenance,
  endMaintenance,
  endSessions,
  seedReference,
];
