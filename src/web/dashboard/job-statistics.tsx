import type { JobStatus } from '../../domain/job.ts';
import type { postingsPerDay } from '../../operations/statistics/company-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CalendarDay, shortDay } from '../components/text.tsx';
import { useTexts } from '../texts/texts.ts';

interface PostingsProps {
  readonly days: Awaited<ReturnType<typeof postingsPerDay>>;
}

/** How the quota was used over the period. */
export function Postings({ days }: PostingsProps) {
  const { overview: texts, charts, locale } = useTexts();
  return (
    <BarChart
      id="postings"
      title={texts.postings}
      summary={texts.postingsSummary(days.at(-1)?.jobs ?? 0)}
      empty={texts.noPostings}
      head={charts.day}
      series={[texts.posted]}
      bars={days.map(({ day, jobs }) => ({
        label: shortDay(day, locale),
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
  const { overview: texts, statuses, words } = useTexts();
  const total = jobs.reduce((sum, count) => sum + count.jobs, 0);
  return (
    <BarChart
      id="by-status"
      title={texts.byStatus}
      summary={texts.byStatusSummary(total)}
      empty={texts.noJobs}
      head={words.status}
      series={[texts.jobs]}
      bars={(Object.keys(statuses) as JobStatus[]).map((status) => ({
        label: statuses[status].name,
        values: [jobs.find((count) => count.status === status)?.jobs ?? 0],
      }))}
    />
  );
}
