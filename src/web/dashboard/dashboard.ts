import { type CompanyPerson, findCompanyPerson } from '../../auth/person.ts';
import { forbidden } from '../../domain/errors.ts';
import { issueCredential } from '../../operations/credentials/issue-credential.ts';
import { replaceCredential } from '../../operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../operations/credentials/revoke-credential.ts';
import { withdrawCompanyJob } from '../../operations/jobs/review-job.ts';
import { mainAccountLabels } from '../labels.ts';
import { operationPage } from '../operation-page.tsx';
import { get, type PortalPages, post, type Route } from '../page.ts';
import { job, resubmit } from './company-job-page.tsx';
import { credentials } from './credentials/credentials-page.tsx';
import { secretPage } from './credentials/secret-page.tsx';
import * as lists from './lists.tsx';
import { overview } from './overview-page.tsx';
import { request, requests } from './requests-page.tsx';
import { reset, sandbox } from './sandbox-page.tsx';
import * as subjects from './subjects.tsx';

type Place = keyof typeof mainAccountLabels;

/** For main accounts. Throws 403 `permission` for a sub-account. */
const onlyMain =
  (place: Place) =>
  ({ handler, ...route }: Route<CompanyPerson>): Route<CompanyPerson> => ({
    ...route,
    handler: (ctx) => {
      if (!ctx.person.isMain) throw forbidden('permission', ctx.t(mainAccountLabels[place]));
      return handler(ctx);
    },
  });

const list = '/credentials';
const jobPath = '/jobs/:environment/:job';
const secret = { given: subjects.given, asksPassword: true, resultPage: secretPage };

/** The pages of a company's people. */
export const dashboardPages: PortalPages<CompanyPerson> = {
  portal: 'company',
  findPerson: findCompanyPerson,
  routes: [
    get('/', overview),
    get('/credentials', credentials),
    ...operationPage(`${list}/issue`, issueCredential, list, {
      ...secret,
      subject: subjects.newCredential,
    }).map(onlyMain('credentials')),
    ...operationPage(`${list}/:credential/replace`, replaceCredential, list, {
      ...secret,
      subject: subjects.credential,
    }).map(onlyMain('credentials')),
    ...operationPage(`${list}/:credential/revoke`, revokeCredential, list, {
      given: subjects.given,
      subject: subjects.credential,
    }).map(onlyMain('credentials')),
    get('/jobs', lists.jobs),
    get(jobPath, (ctx) => job(ctx)),
    onlyMain('jobs')(post(`${jobPath}/resubmit`, resubmit)),
    ...operationPage(`${jobPath}/withdraw`, withdrawCompanyJob, jobPath, {
      given: subjects.given,
      subject: subjects.job,
    }).map(onlyMain('jobs')),
    get('/requests', requests),
    get('/requests/:environment/:request', request),
    get('/sandbox', sandbox),
    onlyMain('sandbox')(post('/sandbox/reset', reset)),
    get('/activity', lists.activity),
  ],
};
