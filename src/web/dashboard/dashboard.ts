import { type CompanyPerson, findCompanyPerson } from '../../auth/person.ts';
import { forbidden } from '../../domain/errors.ts';
import { issueCredential } from '../../operations/credentials/issue-credential.ts';
import { replaceCredential } from '../../operations/credentials/replace-credential.ts';
import { revokeCredential } from '../../operations/credentials/revoke-credential.ts';
import { withdrawCompanyJob } from '../../operations/jobs/review-job.ts';
import { mainAccountLabels } from '../labels.ts';
import { operationPage } from '../operation-page.tsx';
import { get, type PortalPages, post, type Route } from '../page.ts';
import type { Translate } from '../texts/t.ts';
import { job, resubmit } from './company-job-page.tsx';
import { credentialFacts, credentials } from './credentials-page.tsx';
import * as lists from './lists.tsx';
import { overview } from './overview-page.tsx';
import { reset, sandbox } from './sandbox-page.tsx';
import { secretPage } from './secret-page.tsx';

/** For main accounts. Throws 403 `permission` for a sub-account. */
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

const overlapHours = [0, 1, 24, 168, 336, 720];

function overlapText(hours: number, t: Translate): string {
  if (hours === 0) return t('None, it ends now');
  if (hours % 24 > 0) return t('{{count}} hours', { count: hours, one: '{{count}} hour' });
  return t('{{count}} days', { count: hours / 24, one: '{{count}} day' });
}

const secret = {
  about: credentialFacts,
  options: (t: Translate) => ({
    overlapHours: overlapHours.map((hours) => [String(hours), overlapText(hours, t)] as const),
  }),
  resultPage: secretPage,
};

/** The pages of a company's people. */
export const dashboardPages: PortalPages<CompanyPerson> = {
  portal: 'company',
  findPerson: findCompanyPerson,
  routes: [
    get('/', overview),
    get('/credentials', credentials),
    ...[
      ...operationPage(`${list}/issue`, issueCredential, list, { resultPage: secretPage }),
      ...operationPage(`${list}/:credential/replace`, replaceCredential, list, secret),
      ...operationPage(`${list}/:credential/revoke`, revokeCredential, list, { about: credentialFacts }),
    ].map(onlyMain('credentials')),
    get('/jobs', lists.jobs),
    get(jobPath, (ctx) => job(ctx)),
    ...[
      post(`${jobPath}/resubmit`, resubmit),
      ...operationPage(`${jobPath}/withdraw`, withdrawCompanyJob, jobPath),
    ].map(onlyMain('jobs')),
    get('/requests', lists.requests),
    get('/requests/:environment/:request', lists.request),
    get('/sandbox', sandbox),
    onlyMain('sandbox')(post('/sandbox/reset', reset)),
    get('/activity', lists.activity),
  ],
};
