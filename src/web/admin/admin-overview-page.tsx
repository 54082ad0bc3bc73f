import { dayMs, minuteText } from '../../domain/dates.ts';
import { startMaintenance } from '../../operations/maintenance/people/set-maintenance.ts';
import { ageLimits, refusalsMax, reviewStatistics } from '../../operations/statistics/people/review-statistics.ts';
import { requestLogDays } from '../../telemetry/logged-request.ts';
import { Chart } from '../components/chart.tsx';
import { Action } from '../components/operation-form.tsx';
import { reasonText } from '../components/requests.tsx';
import { Instant, LeftOut } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import type { Translate } from '../texts/language.ts';

/** Shows what needs an administrator's attention. */
export async function overview(ctx: AdminContext): Promise<PageAnswer> {
  const { pending, companies, oldestRequest, pendingByAge, denials, refusals, leftOutNodes } = await reviewStatistics(
    ctx,
    {},
  );
  const { t } = ctx;
  return page(
    t('Overview'),
    <>
      <h1>{t('Waiting for you')}</h1>
      <LeftOut nodes={leftOutNodes} />
      <div class="row">
        <article class="col-6">
          <h2>
            <a href="/admin/review">
              {t('{{count}} jobs to review', { count: pending.jobs, one: '{{count}} job to review' })}
            </a>
          </h2>
          {pending.oldest && t('The oldest was posted on {{at}}.', { at: <Instant at={pending.oldest} /> })}
        </article>
        <article class="col-6">
          <h2>
            <a href="/admin/companies?state=waiting">
              {t('{{count}} companies to approve', { count: companies, one: '{{count}} company to approve' })}
            </a>
          </h2>
          {oldestRequest && t('The oldest asked on {{at}}.', { at: <Instant at={oldestRequest} /> })}
        </article>
      </div>
      <div class="row">
        <Chart
          id="by-age"
          shape="rows"
          title={t('Waiting jobs by age')}
          empty={t('No jobs are waiting for review.')}
          head={t('Age')}
          series={[{ name: t('Jobs') }]}
          items={pendingByAge.map((count, at) => ({
            label: ageText(at, t),
            values: [count],
            href: queueOf(at, ctx),
          }))}
        />
        <Chart
          id="denials"
          shape="rows"
          title={t('Latest denials by reason')}
          empty={t('No jobs were denied lately.')}
          head={t('Reason')}
          series={[{ name: t('Denied jobs') }]}
          items={denials.map(({ reason, jobs }) => ({ label: reason, values: [jobs] }))}
        />
        <Chart
          id="refusals"
          shape="rows"
          title={t('Refused requests by reason')}
          summary={t('Counts the latest {{limit}} refused requests of the last {{days}} days.', {
            limit: refusalsMax,
            days: requestLogDays,
          })}
          empty={t('No requests were refused in the last {{days}} days.', { days: requestLogDays })}
          head={t('Reason')}
          series={[{ name: t('Requests') }]}
          items={refusals.map(({ reason, requests }) => ({
            label: reasonText(reason, t),
            values: [requests],
            href: `/admin/requests?reason=${reason}`,
          }))}
        />
      </div>
      {!ctx.maintenance && (
        <div class="actions">
          <Action operation={startMaintenance} href="/admin/maintenance/start" />
        </div>
      )}
    </>,
  );
}

function ageText(at: number, t: Translate): string {
  const [from = 0, to] = [ageLimits[at - 1], ageLimits[at]];
  if (to === undefined) return t('Over {{days}} days', { days: from });
  if (from === 0) return t('Up to {{count}} days', { count: to, one: 'Up to {{count}} day' });
  return t('{{from}} to {{to}} days', { from, to });
}

/** The address of the review queue, filtered by the age group `at`. */
function queueOf(at: number, { now, timeZone }: AdminContext): string {
  const before = (days?: number) => days && minuteText(timeZone, new Date(now.getTime() - days * dayMs));
  const span = Object.entries({ from: before(ageLimits[at]), to: before(ageLimits[at - 1]) });
  return `/admin/review?${new URLSearchParams(span.filter((pair): pair is [string, string] => !!pair[1]))}`;
}
