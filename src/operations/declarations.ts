import { listAudit } from './audit/list-audit.ts';
import * as changeCompany from './companies/change-company.ts';
import { createCompany } from './companies/create-company.ts';
import { eraseCompany, exportCompany } from './companies/erase-company.ts';
import { endComplimentary, grantComplimentary } from './companies/grant-complimentary.ts';
import { listCompanies } from './companies/list-companies.ts';
import { setDistricts } from './companies/set-districts.ts';
import { endSubscription, setSubscription } from './companies/set-subscription.ts';
import { showCompany } from './companies/show-company.ts';
import { issueCredential } from './credentials/issue-credential.ts';
import { listCredentials } from './credentials/list-credentials.ts';
import { replaceCredential } from './credentials/replace-credential.ts';
import { revokeCredential } from './credentials/revoke-credential.ts';
import type { Declaration } from './declare.ts';
import { removeJob } from './jobs/remove-job.ts';
import { approveJob, denyJob, resubmitJob, withdrawCompanyJob } from './jobs/review-job.ts';
import { searchAllJobs, searchJobs, searchQueue, showNextInQueue } from './jobs/search-jobs.ts';
import { showJob } from './jobs/show-job.ts';
import { endMaintenance, startMaintenance } from './maintenance/set-maintenance.ts';
import * as accounts from './people/account.ts';
import { createAdministrator, createUser } from './people/create-account.ts';
import { administrators, listUsers } from './people/list-users.ts';
import { setAdministratorPassword, setUserPassword } from './people/set-password.ts';
import { listPlans } from './plans/list-plans.ts';
import { setPlan } from './plans/set-plan.ts';
import * as reference from './reference/change-category.ts';
import { listAllDistricts } from './reference/list-reference.ts';
import { seedReference } from './reference/seed-reference.ts';
import { listRequests, searchRequests } from './requests/list-requests.ts';
import { resetSandbox, showSandbox } from './sandbox/reset-sandbox.ts';
import { postingsPerDay, requestsPerDay, requestsPerMinute } from './statistics/company-statistics.ts';
import { reviewStatistics } from './statistics/review-statistics.ts';

/** Everything that people can do, in the order of the help. */
export const declarations: readonly Declaration[] = [
  listCompanies,
  showCompany,
  createCompany,
  changeCompany.approveCompany,
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
  searchAllJobs,
  searchQueue,
  showNextInQueue,
  showJob,
  postingsPerDay,
  reviewStatistics,
  approveJob,
  denyJob,
  resubmitJob,
  withdrawCompanyJob,
  removeJob,
  listUsers,
  createUser,
  setUserPassword,
  accounts.unlockUser,
  accounts.removeUser,
  administrators,
  createAdministrator,
  setAdministratorPassword,
  accounts.unlockAdministrator,
  accounts.removeAdministrator,
  listPlans,
  setPlan,
  reference.categories,
  reference.listMainAreas,
  reference.addCategory,
  reference.renameCategory,
  reference.activateCategory,
  reference.deactivateCategory,
  listAllDistricts,
  listRequests,
  searchRequests,
  requestsPerMinute,
  requestsPerDay,
  listAudit,
  showSandbox,
  resetSandbox,
  startMaintenance,
  endMaintenance,
  seedReference,
];
