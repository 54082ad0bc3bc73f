import { type AccessBlocker, remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { type EnvironmentAccess, showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { requestsPerMinute } from '../../operations/requests/list-requests.ts';
import { AccessBadge } from '../components/badges.tsx';
import { CalendarDay, Facts } from '../components/text.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { ExpiringCredentials } from './credentials/credentials.tsx';
import { type Minutes, RequestChart } from './request-chart.tsx';

/** The state of both environments. */
export async function overview(ctx: DashboardContext): Promise<PageAnswer> {
  const { isMain, company: own } = ctx.person;
  const companyId = own.id;
  const [company, { valid }, production, sandbox] = await Promise.all([
    showCompany(ctx, { companyId }),
    listCredentials(ctx, { companyId }),
    requestsPerMinute(ctx, { companyId, environment: 'production' }),
    requestsPerMinute(ctx, { companyId, environment: 'sandbox' }),
  ]);
  return page(
    'Overview',
    <>
      <h1>Overview</h1>
      <ExpiringCredentials credentials={valid} isMain={isMain} />
      <div class="grid">
        <EnvironmentCard environment="production" company={company} minutes={production} />
        <EnvironmentCard environment="sandbox" company={company} minutes={sandbox} />
      </div>
      {valid.length === 0 && (
        <p>
          You have no valid credential yet. Issue one for the sandbox under{' '}
          <a href="/dashboard/credentials">credentials</a> and try the API.
        </p>
      )}
      <p>
        <a href="/docs">API reference</a>
      </p>
    </>,
  );
}

type Company = Awaited<ReturnType<typeof showCompany>>;

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly company: Company;
  readonly minutes: Minutes;
}

/** Whether an environment is open and what is missing, its quota, and its traffic. */
function EnvironmentCard({ environment, company, minutes }: EnvironmentCardProps) {
  const access = company.access[environment];
  return (
    <article aria-labelledby={environment}>
      <h2 id={environment}>{environment === 'production' ? 'Production' : 'Sandbox'}</h2>
      <p>
        <AccessBadge access={access} />
      </p>
      {environment === 'production' && (
        <Facts
          facts={[
            ['Plan', planText(company)],
            ['Access', accessText(company)],
          ]}
        />
      )}
      {access.kind === 'open' ? (
        <Quota id={`${environment}-quota`} {...access} />
      ) : (
        <ul>
          {access.blockers.map((blocker) => (
            <li key={blocker}>{advice[blocker]}</li>
          ))}
        </ul>
      )}
      <RequestChart minutes={minutes} />
    </article>
  );
}

const planText = ({ subscription }: Company): string =>
  subscription?.inForce
    ? `${subscription.plan.name}${subscription.plan.apiEligible ? '' : ' (does not include production)'}`
    : 'None';

function accessText({ grant, subscription }: Company): string {
  if (grant?.inForce) return 'Complimentary';
  return subscription?.inForce ? 'Subscription' : 'None';
}

type QuotaProps = Extract<EnvironmentAccess, { kind: 'open' }> & { readonly id: string };

function Quota({ id, used, entitlement: { limit, period } }: QuotaProps) {
  return (
    <>
      <p id={id}>
        {limit === unlimited
          ? `${used} jobs posted, no limit`
          : `${used} of ${limit} jobs used${period ? '' : ' since the last reset'}, ${remaining(limit, used)} left`}
        {period && (
          <>
            {', from '}
            <CalendarDay day={period.start} /> to <CalendarDay day={period.end} />
          </>
        )}
      </p>
      {limit !== unlimited && <progress value={Math.min(used, limit)} max={Math.max(limit, 1)} aria-labelledby={id} />}
    </>
  );
}

const advice: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Your company is suspended. Contact the administrator.',
  unverified: 'An administrator must verify your company first.',
  plan: 'Production requires a plan that includes it, or complimentary access. Contact the administrator.',
  approval: 'An administrator must approve your company for production.',
};
