import { requestLogDays } from '../../domain/logged-request.ts';
import { listRequests } from '../../operations/requests/list-requests.ts';
import { requestsPerDay } from '../../operations/statistics/company-statistics.ts';
import { requestCells, requestPage } from '../components/requests.tsx';
import { inEnvironmentLabels } from '../labels.ts';
import { listPage } from '../list.tsx';
import { type DashboardContext, environmentAsked, environmentIn, type PageAnswer } from '../page.ts';
import { RequestStatistics } from './statistics.tsx';

/** The company's logged requests in one environment, newest first. */
export const requests = listPage('Requests', listRequests, async (ctx: DashboardContext) => {
  const { t } = ctx;
  const companyId = ctx.person.company.id;
  const environment = environmentAsked(ctx.query);
  const { items: days } = await requestsPerDay(ctx, { companyId, environment });
  return {
    given: { companyId },
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
      jobPath: (jobId) => `/dashboard/jobs/${environment}/${jobId}`,
      listPath: `/dashboard/requests?environment=${environment}`,
    },
  );
}
