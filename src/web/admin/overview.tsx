import { showWaiting } from '../../operations/jobs/show-waiting.ts';
import { refusalsMax, reviewStatistics } from '../../operations/statistics/review-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { reasonText } from '../components/refusal-reason.ts';
import { Instant } from '../components/text.tsx';
import { type AdminContext, type PageAnswer, page } from '../page.ts';

const ageLabels = ['Up to 1 day', '1 to 3 days', '3 to 7 days', 'Over 7 days'];

/** What is waiting for an administrator. */
export async function overview(ctx: AdminContext): Promise<PageAnswer> {
  const [{ jobs, companies }, statistics] = await Promise.all([showWaiting(ctx), reviewStatistics(ctx)]);
  const { waiting, denials, refusals } = statistics;
  const refused = sum(refusals.map(({ requests }) => requests));
  const { t } = ctx;
  return page(
    t('Overview'),
    <>
      <h1>{t('Waiting for you')}</h1>
      <div class="grid">
        <article>
          <h2>
            <a href="/admin/review">
              {t('{{count}} jobs to review', { count: jobs.jobs, one: '{{count}} job to review' })}
            </a>
          </h2>
          <p>
            {jobs.oldest
              ? t('The oldest was posted on {{at}}.', { at: <Instant at={jobs.oldest} /> })
              : t('No jobs are waiting for review.')}
          </p>
        </article>
        <article>
          <h2>
            <a href="/admin/companies?state=waiting">
              {t('{{count}} companies to approve', { count: companies, one: '{{count}} company to approve' })}
            </a>
          </h2>
          <p>
            {companies > 0
              ? t('They need only your approval for production.')
              : t('No companies are waiting for approval.')}
          </p>
        </article>
      </div>
      <div class="grid">
        <BarChart
          id="by-age"
          title={t('Waiting jobs by age')}
          summary={t('{{count}} jobs waiting for more than seven days.', {
            count: waiting.at(-1) ?? 0,
            one: '{{count}} job waiting for more than seven days.',
          })}
          empty={t('No jobs are waiting for review.')}
          head={t('Age')}
          series={[t('Jobs')]}
          bars={waiting.map((count, at) => ({ label: t(ageLabels[at] ?? ''), values: [count] }))}
        />
        <BarChart
          id="denials"
          title={t('Latest denials by reason')}
          summary={t('{{count}} jobs denied for these reasons.', {
            count: sum(denials.map(({ jobs }) => jobs)),
            one: '{{count}} job denied for these reasons.',
          })}
          empty={t('No jobs were denied lately.')}
          head={t('Reason')}
          series={[t('Denied jobs')]}
          bars={denials.map(({ reason, jobs }) => ({ label: reason, values: [jobs] }))}
          isHorizontal
        />
        <div>
          <BarChart
            id="refusals"
            title={t('Refused requests by reason')}
            summary={t('{{count}} requests refused for these reasons.', {
              count: refused,
              one: '{{count}} request refused for these reasons.',
            })}
            empty={t('No requests were refused in the last seven days.')}
            head={t('Reason')}
            series={[t('Requests in seven days')]}
            bars={refusals.map(({ reason, requests }) => ({
              label: reasonText(reason, t),
              values: [requests],
            }))}
            isHorizontal
          />
          {refused >= refusalsMax && (
            <p>{t('Of more refused requests, the latest {{limit}} count.', { limit: refusalsMax })}</p>
          )}
        </div>
      </div>
    </>,
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
