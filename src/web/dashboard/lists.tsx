import { unseenActions } from '../../domain/audit-actions.ts';
import type { Environment } from '../../domain/environment.ts';
import { ApiError } from '../../domain/errors.ts';
import { listAudit } from '../../operations/audit/people/list-audit.ts';
import { searchJobs } from '../../operations/jobs/people/search-jobs.ts';
import { showJob } from '../../operations/jobs/people/show-job.ts';
import { listRequests } from '../../operations/requests/people/list-requests.ts';
import { requestsPerDay } from '../../operations/statistics/people/company-statistics.ts';
import { requestLogDays } from '../../telemetry/logged-request.ts';
import { auditActionOptions, auditCells } from '../components/audit-cells.tsx';
import { jobCells } from '../components/job-details.tsx';
import { requestCells, requestIdPattern, requestPage } from '../components/requests.tsx';
import { inEnvironmentLabels, rowPath, rowPathOf } from '../labels.ts';
import { listPage } from '../list.tsx';
import { type DashboardContext, environmentAsked, environmentIn, idOf, type PageAnswer } from '../page.ts';
import { RequestStatistics } from './statistics.tsx';

// The dashboard's pages that consist of one list.

// A list shows production unless the reader chooses the sandbox, so an ID is looked for in the other environment, too.

const otherThan = (environment: Environment): Environment => (environment === 'sandbox' ? 'production' : 'sandbox');

async function jobElsewhere(ctx: DashboardContext, environment: Environment, text: string) {
  const jobId = idOf(text);
  if (jobId === undefined) return undefined;
  const ref = { companyId: ctx.person.company.id, environment, jobId };
  const found = await showJob(ctx, ref).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'unknown_job') return undefined;
    throw error;
  });
  if (!found) return undefined;
  const place = ctx.t(inEnvironmentLabels[environment]);
  return { path: rowPath('jobs', environment, jobId), name: found.job.title, place };
}

async function requestElsewhere(ctx: DashboardContext, environment: Environment, text: string) {
  if (!requestIdPattern.test(text)) return undefined;
  const { items } = await listRequests(ctx, { companyId: ctx.person.company.id, environment, text });
  const found = items.find(({ requestId }) => requestId === text);
  if (!found) return undefined;
  const place = ctx.t(inEnvironmentLabels[environment]);
  return { path: `/dashboard/requests/${environment}/${text}`, name: found.operation ?? text, place };
}

/** The company's jobs in one environment, newest first. Shows production unless the query names the sandbox. */
export const jobs = listPage('Jobs', searchJobs, (ctx: DashboardContext) => {
  const { t, query, person } = ctx;
  const environment = environmentAsked(query);
  return {
    given: { companyId: person.company.id },
    filePath: '/dashboard/jobs.csv',
    none: t('No jobs {{inEnvironment}} yet. Create one through the API with a credential that has write access.', {
      inEnvironment: t(inEnvironmentLabels[environment]),
    }),
    elsewhere: (text) => jobElsewhere(ctx, otherThan(environment), text),
    rowName: 'title',
    cells: {
      ...jobCells(t),
      title: ({ id, title }) => <a href={`/dashboard/jobs/${environment}/${id}`}>{title}</a>,
    },
  };
});

/** The company's logged requests in one environment, newest first. */
export const requests = listPage('Requests', listRequests, async (ctx: DashboardContext) => {
  const { t } = ctx;
  const companyId = ctx.person.company.id;
  const environment = environmentAsked(ctx.query);
  const { items: days } = await requestsPerDay(ctx, { companyId, environment });
  return {
    given: { companyId },
    filePath: '/dashboard/requests.csv',
    intro: (
      <>
        <p>{t('Requests of the last {{days}} days. Bodies are not stored.', { days: requestLogDays })}</p>
        <RequestStatistics days={days} />
      </>
    ),
    none: t(
      'No requests {{inEnvironment}} in the last {{days}} days. Issue a credential under {{link}} and send a request with it. It appears here after about a second.',
      {
        inEnvironment: t(inEnvironmentLabels[environment]),
        days: requestLogDays,
        link: <a href="/dashboard/credentials">{t('Credentials')}</a>,
      },
    ),
    elsewhere: (text) => requestElsewhere(ctx, otherThan(environment), text),
    rowName: 'operation',
    cells: {
      ...requestCells(({ requestId }) => `/dashboard/requests/${environment}/${requestId}`, t),
      companyName: null,
      environment: null,
    },
  };
});

export function request(ctx: DashboardContext): Promise<PageAnswer> {
  const environment = environmentIn(ctx.params);
  return requestPage(
    ctx,
    { companyId: ctx.person.company.id, environment },
    {
      pathOf: (resource, id) => rowPathOf(resource, environment, id),
      listPath: `/dashboard/requests?environment=${environment}`,
    },
  );
}

/** The company's audit trail, newest first. */
export const activity = listPage('Activity', listAudit, ({ t, person }: DashboardContext) => ({
  given: { companyId: person.company.id, actorKind: undefined },
  options: { action: auditActionOptions(t).filter(([action]) => !unseenActions.has(action)) },
  none: t("No activity. Changes to credentials, the sandbox and the company's access appear here."),
  rowName: 'action',
  cells: {
    ...auditCells(t, rowPathOf),
    companyId: null,
  },
}));
