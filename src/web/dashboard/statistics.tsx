import { addDays, type Day, minuteMs, minuteText, startOfDay } from '../../domain/dates.ts';
import type { Period } from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import type { JobStatus } from '../../operations/jobs/job.ts';
import { statusLabels } from '../../operations/jobs/people/search-jobs.ts';
import { jobStatuses } from '../../operations/jobs/transitions.ts';
import {
  type postingsPerDay,
  type requestsPerDay,
  requestsPerDayMax,
  type requestsPerMinute,
  statusClasses,
} from '../../operations/statistics/people/company-statistics.ts';
import { requestLogDays } from '../../telemetry/logged-request.ts';
import { Chart, type ChartItem, sum } from '../components/chart.tsx';
import { CalendarDay } from '../components/text.tsx';
import { environmentAsked, usePageRequest, useT } from '../page.ts';
import { shortDayText, timeText } from '../texts/formats.ts';

// The charts of a company's jobs and requests.

type Rows<List extends (...given: never) => Promise<{ readonly items: unknown }>> = Awaited<ReturnType<List>>['items'];

const productionJobs = '/dashboard/jobs?environment=production';

/** The part of a list's query that limits it to a span of time. `until` is exclusive. */
const querySpan = (timeZone: string, from: Date, until: Date): string =>
  `from=${minuteText(timeZone, from)}&to=${minuteText(timeZone, new Date(until.getTime() - minuteMs))}`;

const queryDays = (timeZone: string, first: Day, last = first): string =>
  querySpan(timeZone, startOfDay(timeZone, first), startOfDay(timeZone, addDays(last, 1)));

interface PostingsProps {
  readonly period: Period;
  readonly days: Rows<typeof postingsPerDay>;
  /** How many jobs count as posted. The chart shows those that still exist. */
  readonly used: number;
  /** Whether the company has or had a plan and complimentary access. Only one of them counts a posting, but the chart shows them all. */
  readonly hasBoth: boolean;
}

/** Shows how many jobs were posted on each day of the quota's period. */
export function Postings({ period, days, used, hasBoth }: PostingsProps) {
  const { t, timeZone } = usePageRequest();
  const items: ChartItem[] = [];
  for (let day = period.start; day <= period.end; day = addDays(day, 1)) {
    const values = days.slice(items.length, items.length + 1).map(({ jobs }) => jobs);
    const href = `${productionJobs}&${queryDays(timeZone, day)}`;
    items.push({ label: shortDayText(day, t.locale), head: <CalendarDay day={day} />, values, href, hrefs: [href] });
  }
  const summary = t('{{count}} jobs posted since the period began, not counting deleted ones.', {
    count: sum(days.map(({ jobs }) => jobs)),
    one: '{{count}} job posted since the period began, not counting deleted ones.',
  });
  return (
    <Chart
      id="postings"
      shape="bars"
      title={t('Jobs posted in the period')}
      summary={[summary, hasBoth && t('With the plan and with complimentary access.')].filter(Boolean).join(' ')}
      empty={used === 0 ? t('No jobs posted in this period yet.') : summary}
      head={t('Day')}
      series={[{ name: t('Jobs'), href: `${productionJobs}&${queryDays(timeZone, period.start, period.end)}` }]}
      items={items}
    />
  );
}

export function JobsByStatus({ jobs }: { readonly jobs: readonly { status: JobStatus; jobs: number }[] }) {
  const t = useT();
  return (
    <Chart
      id="by-status"
      shape="rows"
      title={t('Jobs by status')}
      empty={t('No jobs in production yet.')}
      head={t('Status')}
      series={[{ name: t('Jobs') }]}
      items={jobStatuses.map((status) => ({
        label: t(statusLabels[status]),
        values: [jobs.find((count) => count.status === status)?.jobs ?? 0],
        href: `${productionJobs}&status=${status}`,
      }))}
    />
  );
}

/** The requests of the last hour by minute. */
export function LastHour(props: {
  readonly environment: Environment;
  readonly minutes: Rows<typeof requestsPerMinute>;
}) {
  const { environment, minutes } = props;
  const { timeZone, t } = usePageRequest();
  const count = sum(minutes.map(countOf));
  if (count === 0) return <p>{`${t('No requests in the last hour')}.`}</p>;
  const hrefsOf = (from = new Date(), to = from) => {
    const span = querySpan(timeZone, from, new Date(to.getTime() + minuteMs));
    return classes.map(([, , status]) => `/dashboard/requests?environment=${environment}&${span}&status=${status}`);
  };
  const whole = hrefsOf(minutes[0]?.minute, minutes.at(-1)?.minute);
  return (
    <Chart
      id={`${environment}-hour`}
      shape="bars"
      title={t('{{count}} requests in the last hour: {{refused}} refused, {{failed}} failed', {
        count,
        refused: sum(minutes.map(({ refused }) => refused)),
        failed: sum(minutes.map(({ failed }) => failed)),
        one: '{{count}} request in the last hour: {{refused}} refused, {{failed}} failed',
      })}
      head={t('Time')}
      series={classes.map(([, label], at) => ({ name: t(label), href: whole[at] }))}
      items={minutes.map((counted) => ({
        label: timeText(counted.minute, t.locale, timeZone),
        // Labels the quarters of an hour. UTC minutes serve for every time zone, because zones differ by whole quarters.
        isTick: counted.minute.getUTCMinutes() % 15 === 0,
        values: classes.map(([counts]) => counted[counts]),
        hrefs: hrefsOf(counted.minute),
      }))}
    />
  );
}

type RequestDay = Rows<typeof requestsPerDay>[number];

/** Shows each day's requests by class of status, and their latency. Empty without requests, because the list below says so. */
export function RequestStatistics({ days }: { readonly days: readonly RequestDay[] }) {
  const { path, query, t, timeZone } = usePageRequest();
  const requests = sum(days.map(countOf));
  if (requests === 0) return null;
  const environment = environmentAsked(query);
  const hrefOf = (status: string, first: Day, last = first) =>
    `${path}?environment=${environment}&${queryDays(timeZone, first, last)}&status=${status}`;
  const labels = ({ day }: RequestDay) => ({ label: shortDayText(day, t.locale), head: <CalendarDay day={day} /> });
  const whole = [days[0]?.day ?? '', days.at(-1)?.day] as const;
  return (
    <div class="row late">
      <Chart
        id="per-day"
        shape="bars"
        title={t('Requests per day')}
        summary={
          days.every((day) => countOf(day) < requestsPerDayMax)
            ? t('{{count}} requests in the last {{days}} days: {{refused}} refused, {{failed}} failed.', {
                count: requests,
                days: requestLogDays,
                refused: sum(days.map(({ refused }) => refused)),
                failed: sum(days.map(({ failed }) => failed)),
                one: '{{count}} request in the last {{days}} days: {{refused}} refused, {{failed}} failed.',
              })
            : t('On a day with more than {{limit}} requests, only the latest {{limit}} count.', {
                limit: requestsPerDayMax,
              })
        }
        head={t('Day')}
        series={classes.map(([, label, status]) => ({ name: t(label), href: hrefOf(status, ...whole) }))}
        items={days.map((day) => ({
          ...labels(day),
          values: classes.map(([counts]) => day[counts]),
          hrefs: classes.map(([, , status]) => hrefOf(status, day.day)),
        }))}
      />
      <Chart
        id="latency"
        shape="points"
        title={t('Latency per day, in ms')}
        summary={t('On the slowest day, 95% of the requests took at most {{slowest}} ms.', {
          slowest: Math.max(...days.map(({ slowMs }) => slowMs)),
        })}
        head={t('Day')}
        series={[{ name: t('Median') }, { name: t('95th percentile') }]}
        items={days.map((day) => ({ ...labels(day), values: countOf(day) === 0 ? [] : [day.medianMs, day.slowMs] }))}
      />
    </div>
  );
}

/** The classes of status by which requests are counted, with their labels and their values of the list's status filter. */
const classes = [
  ['succeeded', statusClasses.succeeded, '2xx-3xx'],
  ['refused', statusClasses.refused, '400-498'],
  ['failed', statusClasses.failed, '499-5xx'],
] as const;

const countOf = (counted: Readonly<Record<keyof typeof statusClasses, number>>): number =>
  sum(classes.map(([counts]) => counted[counts]));
