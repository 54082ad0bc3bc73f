import { remaining, unlimited } from '../../../domain/eligibility.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { EnvironmentAccess, showCompany } from '../../../operations/companies/show-company.ts';
import type { requestsPerMinute } from '../../../operations/requests/list-requests.ts';
import { accessBlockersText } from '../../parts/access-blockers.ts';
import { Badge } from '../../parts/badge.tsx';
import { Facts } from '../../parts/facts.tsx';
import { CalendarDay } from '../../parts/when.tsx';
import { RequestChart } from './request-chart.tsx';

type Company = Awaited<ReturnType<typeof showCompany>>;

interface Props {
  readonly environment: Environment;
  readonly company: Company;
  readonly minutes: Awaited<ReturnType<typeof requestsPerMinute>>;
}

const names = { production: 'Production', sandbox: 'Sandbox' } as const;

/** One environment: whether it is open and what is missing, what its postings count against, and its traffic. */
export function EnvironmentCard({ environment, company, minutes }: Props) {
  const access = company.access[environment];
  return (
    <article aria-labelledby={environment}>
      <h2 id={environment}>{names[environment]}</h2>
      <p>
        {access.kind === 'open' ? (
          <Badge tone="good" text="Open" />
        ) : (
          <Badge tone="waiting" text={`Closed: ${accessBlockersText(access.blockers)}`} />
        )}
      </p>
      {environment === 'production' && (
        <Facts
          facts={[
            ['Plan', planText(company)],
            [
              'Access',
              company.grant?.inForce ? 'Complimentary' : company.subscription?.inForce ? 'Subscription' : 'None',
            ],
          ]}
        />
      )}
      {access.kind === 'open' ? <Quota id={`${environment}-quota`} access={access} /> : <Missing access={access} />}
      <RequestChart minutes={minutes} />
    </article>
  );
}

const planText = ({ subscription }: Company): string =>
  subscription?.inForce
    ? `${subscription.plan.name}${subscription.plan.apiEligible ? '' : ' (does not include production)'}`
    : 'None';

function Quota({ id, access }: { readonly id: string; readonly access: EnvironmentAccess & { kind: 'open' } }) {
  const { used, entitlement } = access;
  const { limit, period } = entitlement;
  const left = limit === unlimited ? 'without a limit' : `of ${limit} jobs used, ${remaining(limit, used)} left`;
  return (
    <>
      <p id={id}>
        {limit === unlimited ? `${used} jobs posted, ${left}` : `${used} ${left}`}
        {period ? (
          <>
            {' from '}
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

const advice = {
  suspended: 'This account is suspended: ask the administrator.',
  unverified: 'The administrator verifies the company account first.',
  plan: 'Production needs a plan that includes it, or complimentary access: ask the administrator.',
  approval: 'An administrator still approves the company for production.',
} as const;

const Missing = ({ access }: { readonly access: EnvironmentAccess & { kind: 'closed' } }) => (
  <ul>
    {access.blockers.map((blocker) => (
      <li key={blocker}>{advice[blocker]}</li>
    ))}
  </ul>
);
