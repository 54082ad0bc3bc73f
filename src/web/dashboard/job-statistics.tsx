import type { JobStatus } from '../../domain/job.ts';
import type { postingsPerDay } from '../../operations/statistics/company-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CalendarDay } from '../components/text.tsx';
import { statusLabels } from '../labels.ts';
import { optionsOf } from '../params.ts';
import { shortDayText } from '../texts/formats.ts';
import { useT } from '../texts/t.ts';

/** How the quota was used over the period. */
export function Postings({ days }: { readonly days: Awaited<ReturnType<typeof postingsPerDay>> }) {
  const t = useT();
  return (
    <BarChart
      id="postings"
      title={t('Jobs posted in the period')}
      summary={t('{{count}} jobs posted since the period began.', {
        count: days.at(-1)?.jobs ?? 0,
        one: '{{count}} job posted since the period began.',
      })}
      empty={t('No jobs posted in this period yet.')}
      head={t('Day')}
      series={[t('Posted until then')]}
      bars={days.map(({ day, jobs }) => ({
        label: shortDayText(day, t.locale),
        head: <CalendarDay day={day} />,
        values: [jobs],
      }))}
    />
  );
}

interface JobsByStatusProps {
  readonly jobs: readonly { readonly status: JobStatus; readonly jobs: number }[];
}

export function JobsByStatus({ jobs }: JobsByStatusProps) {
  const t = useT();
  const total = jobs.reduce((sum, count) => sum + count.jobs, 0);
  return (
    <BarChart
      id="by-status"
      title={t('Jobs by status')}
      summary={t('{{count}} jobs in all.', { count: total, one: '{{count}} job in all.' })}
      empty={t('No jobs in production yet.')}
      head={t('Status')}
      series={[t('Jobs')]}
      bars={optionsOf(statusLabels, t).map(([status, label]) => ({
        label,
        values: [jobs.find((count) => count.status === status)?.jobs ?? 0],
      }))}
    />
  );
}
