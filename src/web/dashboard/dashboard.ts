import { type CompanyPerson, findCompanyPerson } from '../../auth/page-session.ts';
import { forbidden } from '../../domain/errors.ts';
import { exportCompany } from '../../operations/companies/people/erase-company.ts';
import { requestProduction } from '../../operations/companies/people/request-production.ts';
import { issueCredential } from '../../operations/credentials/people/issue-credential.ts';
import { replaceCredential } from '../../operations/credentials/people/replace-credential.ts';
import { revokeCredential } from '../../operations/credentials/people/revoke-credential.ts';
import { resubmitJob } from '../../operations/jobs/people/review-job.ts';
import { exportJobs } from '../../operations/jobs/people/search-jobs.ts';
import { updateCompanyJob } from '../../operations/jobs/people/update-company-job.ts';
import { withdrawCompanyJob } from '../../operations/jobs/people/withdraw-company-job.ts';
import { exportRequests } from '../../operations/requests/people/list-requests.ts';
import { storedResources } from '../../operations/stored/stored-resources.ts';
import { inviteUser } from '../../operations/users/people/create-account.ts';
import { linkPage } from '../components/link-page.tsx';
import { personPages } from '../components/person-actions.tsx';
import { filePage } from '../file-page.ts';
import { mainAccountLabels } from '../labels.ts';
import { operationPage, operationPost } from '../operation-page.tsx';
import { get, type PortalPages, type Route } from '../page.ts';
import { job, jobEditor, jobFacts } from './company-job-page.tsx';
import { credentialFacts, credentials } from './credentials-page.tsx';
import * as lists from './lists.tsx';
import { overview } from './overview-page.tsx';
import { people } from './people-page.tsx';
import { reset, sandbox } from './sandbox-page.tsx';
import { secretPage } from './secret-page.tsx';
import { storedPages } from './stored-pages.tsx';

const stored = storedResources.map(storedPages);

/** Restricts a route to main accounts. Its handler throws 403 `permission` for a sub-account. */
const onlyMain =
  (place: keyof typeof mainAccountLabels) =>
  ({ handler, ...route }: Route<CompanyPerson>): Route<CompanyPerson> => ({
    ...route,
    handler: (ctx) => {
      if (!ctx.person.isMain) throw forbidden('permission', ctx.t(mainAccountLabels[place]));
      return handler(ctx);
    },
  });

const list = '/credentials';
const jobPath = '/jobs/:environment/:job';

/** The pages of a company's people. */
export const dashboardPages: PortalPages<CompanyPerson> = {
  portal: 'company',
  findPerson: findCompanyPerson,
  routes: [
    get('/', overview),
    get('/credentials', credentials),
    ...[
      ...operationPage(`${list}/issue`, issueCredential, list, { resultPage: secretPage }),
      ...operationPage(`${list}/:credential/replace`, replaceCredential, list, {
        about: credentialFacts,
        resultPage: secretPage,
      }),
      ...operationPage(`${list}/:credential/revoke`, revokeCredential, list, { about: credentialFacts }),
    ].map(onlyMain('credentials')),
    get('/jobs', lists.jobs),
    filePage('/jobs.csv', exportJobs),
    get(jobPath, job),
    ...[
      ...operationPage(`${jobPath}/resubmit`, resubmitJob, jobPath),
      ...operationPage(`${jobPath}/update`, updateCompanyJob, jobPath, {
        about: jobFacts,
        button: 'Save',
        editor: jobEditor,
      }),
      ...operationPage(`${jobPath}/withdraw`, withdrawCompanyJob, jobPath),
    ].map(onlyMain('jobs')),
    ...stored.flatMap(({ reads }) => reads),
    ...stored.flatMap(({ changes }) => changes.map(onlyMain('stored'))),
    get('/requests', lists.requests),
    filePage('/requests.csv', exportRequests),
    get('/requests/:environment/:request', lists.request),
    get('/sandbox', (ctx) => sandbox(ctx)),
    onlyMain('sandbox')(operationPost(reset)),
    get('/people', people),
    ...[
      ...operationPage('/people/invite', inviteUser, '/people', { resultPage: linkPage }),
      ...personPages<CompanyPerson>('colleagues', '/people', '/people'),
    ].map(onlyMain('people')),
    get('/activity', lists.activity),
    ...operationPage<CompanyPerson, unknown>('/export', exportCompany, '/account').map(onlyMain('export')),
    ...operationPage<CompanyPerson, unknown>('/request', requestProduction, '').map(onlyMain('production')),
  ],
};
