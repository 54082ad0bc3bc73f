import type { Day } from '../../domain/dates.ts';
import { type Environment, environments } from '../../domain/environment.ts';
import { requestProduction } from '../../operations/companies/people/request-production.ts';
import { showCompany } from '../../operations/companies/people/show-company.ts';
import { listCredentials } from '../../operations/credentials/people/list-credentials.ts';
import { searchJobs } from '../../operations/jobs/people/search-jobs.ts';
import { showJob } from '../../operations/jobs/people/show-job.ts';
import { postingsPerDay, requestsPerMinute } from '../../operations/statistics/people/company-statistics.ts';
import { EnvironmentCard, grantText, planText } from '../components/access.tsx';
import { Action } from '../components/operation-form.tsx';
import { Badge, Facts, Instant, Support } from '../components/text.tsx';
import { accessAdvice, mainAccountLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page, useT } from '../page.ts';
import { isolated } from '../texts/isolated.ts';
import type { Translate } from '../texts/language.ts';
import { expiringCredentials } from './credentials-page.tsx';
import { JobsByStatus, LastHour, Postings } from './statistics.tsx';

/** Shows what needs the company's attention, and the state of both environments. */
export async function overview(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { company: own } = ctx.person;
  const companyId = own.id;
  const company = await showCompany(ctx, { companyId });
  const { valid } = await listCredentials(ctx, { companyId });
  const minutes = {
    production: (await requestsPerMinute(ctx, { companyId })).items,
    sandbox: (await requestsPerMinute(ctx, { companyId, environment: 'sandbox' })).items,
  };
  const { access, jobs } = company;
  const { entitlement, used = 0 } = access.production.kind === 'open' ? access.production : {};
  const period = entitlement?.period;
  const denied = await deniedJobs(ctx, company);
  const alerts = (
    <>
      {denied}
      {expiringCredentials(ctx, valid)}
    </>
  );
  const { isMain } = ctx.person;
  const postings = period ? (await postingsPerDay(ctx, { companyId, firstDay: period.start })).items : [];
  return page(
    t('Overview'),
    <>
      <h1>{t('Overview')}</h1>
      {isMain && alerts}
      {!own.suspended && (valid.length === 0 || jobs.length === 0) && firstSteps(ctx, company, valid.length > 0)}
      <div class="row">
        {environments.map((environment) => (
          <EnvironmentCard key={environment} environment={environment} access={access[environment]}>
            <Advice access={access[environment]} isMain={isMain} />
            {environment === 'production' && (
              <Facts
                facts={[
                  [t('Plan'), planText(company.subscription, t, ctx.timeZone)],
                  [t('Access'), accessText(company, t) ?? t('None')],
                  [t('Complimentary access'), company.grant && grantText(company.grant, t)],
                  [t('May publish in'), company.districts.map(({ name }) => name).join(', ') || null],
                ]}
              />
            )}
            <LastHour environment={environment} minutes={minutes[environment]} />
          </EnvironmentCard>
        ))}
      </div>
      {/* Only the main account can act on the alerts, so other people see them last. */}
      {!isMain && alerts}
      <div class="row">
        {period && <Postings period={period} days={postings} used={used} hasBoth={hadBoth(company, period.start)} />}
        <JobsByStatus jobs={jobs.filter(({ environment }) => environment === 'production')} />
      </div>
    </>,
  );
}

type Company = Awaited<ReturnType<typeof showCompany>>;

/** Whether a company has had a plan and complimentary access since a day. */
const hadBoth = ({ subscription, grant }: Company, since: Day): boolean =>
  subscription !== null &&
  grant !== null &&
  (subscription.endsAt === null || subscription.endsAt.toISOString() >= since) &&
  // One that is ended on its first day expired the day before.
  (grant.expiresOn === null || grant.expiresOn >= since || grant.startedOn >= since);

const deniedMax = 3;

/** The latest denied jobs with their reasons. */
async function deniedJobs(ctx: DashboardContext, { id: companyId, jobs }: Company) {
  if (!jobs.some(({ status }) => status === 'denied')) return null;
  const { t } = ctx;
  const tenant = { companyId, environment: 'production' } as const;
  const { items } = await searchJobs(ctx, { ...tenant, status: 'denied' });
  const shown: Awaited<ReturnType<typeof showJob>>[] = [];
  for (const { id } of items.slice(0, deniedMax)) shown.push(await showJob(ctx, { ...tenant, jobId: BigInt(id) }));
  const link = <a href="/dashboard/jobs?environment=production&status=denied">{t('All denied jobs')}</a>;
  return (
    <div class="alert">
      <p>
        {ctx.person.isMain
          ? t('Jobs were denied. Change them, or send them to review again: {{link}}', { link })
          : t('Jobs were denied: {{link}}', { link })}
      </p>
      {!ctx.person.isMain && <p>{t(mainAccountLabels.jobs)}</p>}
      <ul>
        {shown.map(({ job: { id, title }, denialReason }) => (
          <li key={id}>
            <a href={`/dashboard/jobs/production/${id}`}>{isolated(title)}</a>
            {`: ${denialReason}`}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Says what keeps an environment closed, except a suspension, which every page reports, and lets the main account ask for production. */
function Advice({ access, isMain }: { readonly access: Company['access'][Environment]; readonly isMain: boolean }) {
  const t = useT();
  if (access.kind === 'open') return null;
  const { blockers, requestedAt, refused } = access;
  return (
    <>
      {blockers.map(
        (blocker) =>
          blocker !== 'suspended' && (
            <p key={blocker}>
              {t(accessAdvice[blocker])}
              <Support />
            </p>
          ),
      )}
      {requestedAt && (
        <p>{t('Asked for production on {{at}}. An administrator decides.', { at: <Instant at={requestedAt} /> })}</p>
      )}
      {refused && (
        <p class="alert">
          {t('Production was refused on {{at}}.', { at: <Instant at={refused.at} /> })}
          {refused.reason !== null && ` ${t('Reason: {{reason}}', { reason: refused.reason })}`}
        </p>
      )}
      {blockers.includes('approval') && !requestedAt && isMain && (
        <Action operation={requestProduction} href="/dashboard/request" />
      )}
    </>
  );
}

/** A company's first steps, with the completed ones marked. */
function firstSteps({ t, person }: DashboardContext, { jobs, access }: Company, hasCredential: boolean) {
  const issue = (
    <a href="/dashboard/credentials/issue" class="action">
      {t('Issue a credential')}
    </a>
  );
  const link = <a href="/docs">{t('API reference')}</a>;
  const done = <Badge tone="good" text={t('Done')} />;
  return (
    <article aria-labelledby="first-steps">
      <h2 id="first-steps">{t('First steps')}</h2>
      <p>
        {t(
          'Your programs use the API with a credential. In the sandbox nothing is published; in production, jobs are reviewed, published and counted.',
        )}
      </p>
      <ol>
        {access.sandbox.kind === 'closed' && access.sandbox.blockers.includes('unverified') && (
          <li>
            {t(accessAdvice.unverified)} {t('Until then, the API answers 403.')}
            <Support />
          </li>
        )}
        <li>
          {person.isMain
            ? t('{{issue}} for the sandbox.', { issue })
            : t("Your company's main account issues a credential for the sandbox.")}{' '}
          {hasCredential && done}
        </li>
        <li>
          {t('Create a test job: copy a command from the {{link}}.', { link })} {jobs.length > 0 && done}
        </li>
        <li>
          {t('Get access to production. Its card below says what is missing.')}{' '}
          {access.production.kind === 'open' && done}
        </li>
      </ol>
    </article>
  );
}

function accessText({ accessType, subscription }: Company, t: Translate): string | undefined {
  if (accessType === 'complimentary') return t('Complimentary');
  return subscription?.inForce ? t('Subscription') : undefined;
}
