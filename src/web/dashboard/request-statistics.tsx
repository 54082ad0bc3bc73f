import { requestLogDays } from '../../domain/logged-request.ts';
import { type requestsPerDay, requestsPerDayMax } from '../../operations/statistics/company-statistics.ts';
import { Chart } from '../components/chart.tsx';
import { CalendarDay } from '../components/text.tsx';
import { environmentAsked, usePageRequest, useT } from '../page.ts';
import { shortDayText } from '../texts/formats.ts';

type RequestDay = Awaited<ReturnType<typeof requestsPerDay>>['items'][number];

/** The requests of each day by class of status, and their latency. Nothing without requests: the list says so. */
export function RequestStatistics({ days }: { readonly days: readonly RequestDay[] }) {
  const t = useT();
  const { path, query } = usePageRequest();
  const [refused, failed] = [total(days, ({ refused }) => refused), total(days, ({ failed }) => failed)];
  const requests = total(days, countOf);
  if (requests === 0) return null;
  const labels = ({ day }: RequestDay) => ({ label: shortDayText(day, t.locale), head: <CalendarDay day={day} /> });
  const environment = environmentAsked(query);
  const hrefOf = (status: string) => `${path}?${new URLSearchParams({ environment, status })}`;
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
                refused,
                failed,
                one: '{{count}} request in the last {{days}} days: {{refused}} refused, {{failed}} failed.',
              })
            : t('Of a day with more than {{limit}} requests, the latest {{limit}} count.', {
                limit: requestsPerDayMax,
              })
        }
        head={t('Day')}
        series={[
          { name: t('Succeeded (2xx, 3xx)'), href: hrefOf('2xx') },
          { name: t('Refused (4xx)'), href: hrefOf('4xx') },
          { name: t('Failed (5xx, no answer)'), href: hrefOf('5xx') },
        ]}
        items={days.map((day) => ({ ...labels(day), values: [day.succeeded, day.refused, day.failed] }))}
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
        items={days.map((day) => ({ ...labels(day), values: [day.medianMs, day.slowMs] }))}
      />
    </div>
  );
}

const countOf = ({ succeeded, refused, failed }: RequestDay): number => succeeded + refused + failed;

const total = (days: readonly RequestDay[], count: (day: RequestDay) => number): number =>
  days.reduce((sum, day) => sum + count(day), 0);
