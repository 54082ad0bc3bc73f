import { type AccessBlocker, remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { type EnvironmentAccess, showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { requestsPerMinute } from '../../operations/requests/list-requests.ts';
import { postingsPerDay } from '../../operations/statistics/company-statistics.ts';
import { AccessBadge } from '../components/badges.tsx';
import { BarChart } from '../components/bar-chart.tsx';
import { CalendarDay, Facts } from '../components/text.tsx';
import { environmentLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { usePageInfo } from '../page-info.ts';
import { timeText } from '../texts/formats.ts';
import { type Translate, useT } from '../texts/t.ts';
import { ExpiringCredentials } from './credentials/credentials.tsx';
import { JobsByStatus, Postings } from './job-statistics.tsx';

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
  const { t } = ctx;
  const postings = await postingsOf(ctx, company);
  return page(
    t('Overview'),
    <>
      <h1>{t('Overview')}</h1>
      <ExpiringCredentials credentials={valid} isMain={isMain} />
      <div class="grid">
        <EnvironmentCard environment="production" company={company} minutes={production} />
        <EnvironmentCard environment="sandbox" company={company} minutes={sandbox} />
      </div>
      <div class="grid">
        {postings.length > 0 && <Postings days={postings} />}
        <JobsByStatus jobs={company.jobs.filter(({ environment }) => environment === 'production')} />
      </div>
      {valid.length === 0 && (
        <p>
          {t('You have no valid credential yet. Issue one for the sandbox under {{link}} and try the API.', {
            link: <a href="/dashboard/credentials">{t('Credentials')}</a>,
          })}
        </p>
      )}
      <p>
        <a href="/docs">{t('API reference')}</a>
      </p>
    </>,
  );
}

/** The postings of the current period in production, by day. */
async function postingsOf(ctx: DashboardContext, { id, access: { production } }: Company) {
  const period = production.kind === 'open' ? production.entitlement.period : null;
  return period ? postingsPerDay(ctx, { companyId: id, environment: 'production', period }) : [];
}

type Company = Awaited<ReturnType<typeof showCompany>>;

type Minutes = Awaited<ReturnType<typeof requestsPerMinute>>;

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly company: Company;
  readonly minutes: Minutes;
}

const adviceLabels: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'Your company is suspended. Contact the administrator.',
  unverified: 'An administrator must verify your company first.',
  plan: 'Production requires a plan that includes it, or complimentary access. Contact the administrator.',
  approval: 'An administrator must approve your company for production.',
};

/** Whether an environment is open and what is missing, its quota, and its traffic. */
function EnvironmentCard({ environment, company, minutes }: EnvironmentCardProps) {
  const t = useT();
  const access = company.access[environment];
  return (
    <article aria-labelledby={environment}>
      <h2 id={environment}>{t(environmentLabels[environment])}</h2>
      <p>
        <AccessBadge access={access} />
      </p>
      {environment === 'production' && (
        <Facts
          facts={[
            [t('Plan'), planText(company, t) ?? t('None')],
            [t('Access'), accessText(company, t) ?? t('None')],
          ]}
        />
      )}
      {access.kind === 'open' ? (
        <Quota id={`${environment}-quota`} {...access} />
      ) : (
        <ul>
          {access.blockers.map((blocker) => (
            <li key={blocker}>{t(adviceLabels[blocker])}</li>
          ))}
        </ul>
      )}
      <LastHour id={`${environment}-hour`} minutes={minutes} />
    </article>
  );
}

/** The requests of the last hour by minute. */
function LastHour({ id, minutes }: { readonly id: string; readonly minutes: Minutes }) {
  const t = useT();
  const { timeZone } = usePageInfo();
  const count = minutes.reduce((sum, { requests }) => sum + requests, 0);
  if (count === 0) return <p>{`${t('No requests in the last hour')}.`}</p>;
  const text = t('{{count}} requests in the last hour, {{refused}} refused', {
    count,
    refused: minutes.reduce((sum, { refused }) => sum + refused, 0),
    one: '{{count}} request in the last hour, {{refused}} refused',
  });
  const bars = minutes.map(({ minute, requests, refused }) => ({
    label: timeText(minute, t.locale, timeZone),
    values: [requests - refused, refused],
  }));
  return (
    <BarChart id={id} title={text} summary={text} head={t('Time')} series={[t('Accepted'), t('Refused')]} bars={bars} />
  );
}

function planText({ subscription }: Company, t: Translate): string | undefined {
  if (!subscription?.inForce) return undefined;
  const { name, apiEligible } = subscription.plan;
  return apiEligible ? name : t('{{plan}} (does not include production)', { plan: name });
}

function accessText({ grant, subscription }: Company, t: Translate): string | undefined {
  if (grant?.inForce) return t('Complimentary');
  return subscription?.inForce ? t('Subscription') : undefined;
}

type QuotaProps = Extract<EnvironmentAccess, { kind: 'open' }> & { readonly id: string };

function Quota({ id, used, entitlement: { limit, period } }: QuotaProps) {
  const t = useT();
  const counts = { used, limit, left: remaining(limit, used) };
  const usage = period
    ? t('{{used}} of {{limit}} jobs used, {{left}} left', counts)
    : t('{{used}} of {{limit}} jobs used since the last reset, {{left}} left', counts);
  return (
    <>
      <p id={id}>
        {limit === unlimited
          ? t('{{count}} jobs posted, no limit', { count: used, one: '{{count}} job posted, no limit' })
          : usage}
        {period &&
          t(', from {{start}} to {{end}}', {
            start: <CalendarDay day={period.start} />,
            end: <CalendarDay day={period.end} />,
          })}
      </p>
      {limit !== unlimited && <progress value={Math.min(used, limit)} max={Math.max(limit, 1)} aria-labelledby={id} />}
    </>
  );
}
