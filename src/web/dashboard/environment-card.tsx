import type { AccessBlocker } from '../../domain/eligibility.ts';
import { remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import type { EnvironmentAccess, showCompany } from '../../operations/companies/show-company.ts';
import { AccessBadge } from '../components/access-badge.tsx';
import { Facts } from '../components/text.tsx';
import { CalendarDay } from '../components/time.tsx';
import { type Minutes, RequestChart } from './request-chart.tsx';

type Company = Awaited<ReturnType<typeof showCompany>>;

interface Props {
  readonly environment: Environment;
  readonly company: Company;
  readonly minutes: Minutes;
}

/** Whether an environment is open and what is missing, its quota, and its traffic. */
export function EnvironmentCard({ environment, company, minutes }: Props) {
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
          : `${used} of ${limit} jobs used, ${remaining(limit, used)} left`}
        {period ? (
          <>
            {', from '}
            <CalendarDay day={period.start} /> to <CalendarDay day={period.end} />
          </>
        ) : (
          ' since the last reset'
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
