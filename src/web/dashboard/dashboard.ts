import { type CompanyPerson, findCompanyPerson } from '../../auth/person.ts';
import { forbidden } from '../../domain/errors.ts';
import { mainAccountLabels } from '../labels.ts';
import { get, type PortalPages, post, type Route } from '../page.ts';
import { activity } from './activity.tsx';
import { credentials } from './credentials/credentials.tsx';
import { issue, showIssue } from './credentials/issue.tsx';
import { replace, showReplace } from './credentials/replace.tsx';
import { revoke, showRevoke } from './credentials/revoke.tsx';
import { job, resubmit, showWithdraw, withdraw } from './job.tsx';
import { jobs } from './jobs.tsx';
import { overview } from './overview.tsx';
import { requests } from './requests.tsx';
import { reset, sandbox } from './sandbox.tsx';

type Place = keyof typeof mainAccountLabels;

/** Throws 403 `permission` for a sub-account. */
const mainAccount = (place: Place, { handler, ...route }: Route<CompanyPerson>): Route<CompanyPerson> => ({
  ...route,
  handler: (ctx) => {
    if (!ctx.person.isMain) throw forbidden('permission', ctx.t(mainAccountLabels[place]));
    return handler(ctx);
  },
});

/** The pages of a company's people. */
export const dashboardPages: PortalPages<CompanyPerson> = {
  portal: 'company',
  findPerson: findCompanyPerson,
  companyOf: ({ company }) => company.id,
  describePerson: ({ company }) => company.name,
  routes: [
    get('/', overview),
    get('/credentials', credentials),
    mainAccount('credentials', get('/credentials/issue', showIssue)),
    mainAccount('credentials', post('/credentials/issue', issue)),
    mainAccount('credentials', get('/credentials/:credential/replace', showReplace)),
    mainAccount('credentials', post('/credentials/:credential/replace', replace)),
    mainAccount('credentials', get('/credentials/:credential/revoke', showRevoke)),
    mainAccount('credentials', post('/credentials/:credential/revoke', revoke)),
    get('/jobs', jobs),
    get('/jobs/:environment/:job', (ctx) => job(ctx)),
    mainAccount('jobs', post('/jobs/:environment/:job/resubmit', resubmit)),
    mainAccount('jobs', get('/jobs/:environment/:job/withdraw', showWithdraw)),
    mainAccount('jobs', post('/jobs/:environment/:job/withdraw', withdraw)),
    get('/requests', requests),
    get('/sandbox', sandbox),
    mainAccount('sandbox', post('/sandbox/reset', reset)),
    get('/activity', activity),
  ],
};
