import { addDays } from '../../domain/dates.ts';
import type { Period } from '../../domain/eligibility.ts';
import type { JobStatus } from '../../operations/jobs/job.ts';
import type { postingsPerDay } from '../../operations/statistics/company-statistics.ts';
import { Chart, type ChartItem } from '../components/chart.tsx';
import { CalendarDay } from '../components/text.tsx';
import { statusLabels } from '../labels.ts';
import { optionsOf, useT } from '../page.ts';
import { shortDayText } from '../texts/formats.ts';

const productionJobs = '/dashboard/jobs?environment=production';

interface PostingsProps {
  readonly period: Period;
  readonly days: Awaited<ReturnType<typeof postingsPerDay>>['items'];
}

/** How the quota was used over the period. */
export function Postings({ period, days }: PostingsProps) {
  const t = useT();
  const items: ChartItem[] = [];
  for (let day = period.start; day <= period.end; day = addDays(day, 1)) {
    const values = days.slice(items.length, items.length + 1).map(({ jobs }) => jobs);
    items.push({ label: shortDayText(day, t.locale), head: <CalendarDay day={day} />, values });
  }
  return (
    <Chart
      id="postings"
      shape="bars"
      title={t('Jobs posted in the period')}
      summary={t('{{count}} jobs posted since the period began.', {
        count: days.reduce((sum, { jobs }) => sum + jobs, 0),
        one: '{{count}} job posted since the period began.',
      })}
      empty={t('No jobs posted in this period yet.')}
      head={t('Day')}
      series={[{ name: t('Jobs'), href: productionJobs }]}
      items={items}
    />
  );
}

interface JobsByStatusProps {
  readonly jobs: readonly { readonly status: JobStatus; readonly jobs: number }[];
}

export function JobsByStatus({ jobs }: JobsByStatusProps) {
  const t = useT();
  return (
    <Chart
      id="by-status"
      shape="rows"
      title={t('Jobs by status')}
      empty={t('No jobs in production yet.')}
      head={t('Status')}
      series={[{ name: t('Jobs') }]}
      items={optionsOf(statusLabels, t).map(([status, label]) => ({
        label,
        values: [jobs.find((count) => count.status === status)?.jobs ?? 0],
        href: `${productionJobs}&status=${status}`,
      }))}
    />
  );
}
