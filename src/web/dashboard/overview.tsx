import { remaining, unlimited } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { type EnvironmentAccess, showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { requestsPerMinute } from '../../operations/requests/list-requests.ts';
import { postingsPerDay } from '../../operations/statistics/company-statistics.ts';
import { AccessBadge } from '../components/badges.tsx';
import { CalendarDay, Facts } from '../components/text.tsx';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import { type Texts, useTexts } from '../texts/texts.ts';
import { ExpiringCredentials } from './credentials/credentials.tsx';
import { JobsByStatus, Postings } from './job-statistics.tsx';
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
  const { overview: texts, layout } = ctx.texts;
  const postings = await postingsOf(ctx, company);
  return page(
    texts.title,
    <>
      <h1>{texts.title}</h1>
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
          {texts.noCredential((text) => (
            <a href="/dashboard/credentials">{text}</a>
          ))}
        </p>
      )}
      <p>
        <a href="/docs">{layout.apiReference}</a>
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

interface EnvironmentCardProps {
  readonly environment: Environment;
  readonly company: Company;
  readonly minutes: Minutes;
}

/** Whether an environment is open and what is missing, its quota, and its traffic. */
function EnvironmentCard({ environment, company, minutes }: EnvironmentCardProps) {
  const { overview: texts, environments, words } = useTexts();
  const access = company.access[environment];
  return (
    <article aria-labelledby={environment}>
      <h2 id={environment}>{environments[environment].name}</h2>
      <p>
        <AccessBadge access={access} />
      </p>
      {environment === 'production' && (
        <Facts
          facts={[
            [texts.plan, planText(company, texts) ?? words.none],
            [texts.access, accessText(company, texts) ?? words.none],
          ]}
        />
      )}
      {access.kind === 'open' ? (
        <Quota id={`${environment}-quota`} {...access} />
      ) : (
        <ul>
          {access.blockers.map((blocker) => (
            <li key={blocker}>{texts.advice[blocker]}</li>
          ))}
        </ul>
      )}
      <RequestChart minutes={minutes} />
    </article>
  );
}

type OverviewTexts = Texts['overview'];

function planText({ subscription }: Company, { withoutProduction }: OverviewTexts): string | undefined {
  if (!subscription?.inForce) return undefined;
  const { name, apiEligible } = subscription.plan;
  return apiEligible ? name : withoutProduction(name);
}

function accessText({ grant, subscription }: Company, texts: OverviewTexts): string | undefined {
  if (grant?.inForce) return texts.complimentary;
  return subscription?.inForce ? texts.subscription : undefined;
}

type QuotaProps = Extract<EnvironmentAccess, { kind: 'open' }> & { readonly id: string };

function Quota({ id, used, entitlement: { limit, period } }: QuotaProps) {
  const { overview: texts } = useTexts();
  const usage = period ? texts.used : texts.usedSinceReset;
  return (
    <>
      <p id={id}>
        {limit === unlimited ? texts.postedUnlimited(used) : usage(used, limit, remaining(limit, used))}
        {period && texts.period(<CalendarDay day={period.start} />, <CalendarDay day={period.end} />)}
      </p>
      {limit !== unlimited && <progress value={Math.min(used, limit)} max={Math.max(limit, 1)} aria-labelledby={id} />}
    </>
  );
}
