import { type RequestDay, requestsPerDayMax } from '../../operations/statistics/company-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CalendarDay } from '../components/text.tsx';
import { shortDayText } from '../texts/formats.ts';
import { useT } from '../texts/t.ts';

/** The requests of each day by class of status, and their latency. Nothing without requests: the list says so. */
export function RequestStatistics({ days }: { readonly days: readonly RequestDay[] }) {
  const t = useT();
  const [succeeded, refused, failed] = [total(days, 'succeeded'), total(days, 'refused'), total(days, 'failed')];
  const requests = succeeded + refused + failed;
  if (requests === 0) return null;
  const labels = ({ day }: RequestDay) => ({ label: shortDayText(day, t.locale), head: <CalendarDay day={day} /> });
  return (
    <div class="grid">
      <div>
        <BarChart
          id="per-day"
          title={t('Requests per day')}
          summary={t('{{count}} requests in the last seven days: {{refused}} refused, {{failed}} failed.', {
            count: requests,
            refused,
            failed,
            one: '{{count}} request in the last seven days: {{refused}} refused, {{failed}} failed.',
          })}
          head={t('Day')}
          series={[t('Succeeded (2xx, 3xx)'), t('Refused (4xx)'), t('Failed (5xx, no answer)')]}
          bars={days.map((day) => ({ ...labels(day), values: [day.succeeded, day.refused, day.failed] }))}
        />
        {days.some((day) => day.succeeded + day.refused + day.failed >= requestsPerDayMax) && (
          <p>
            {t('Of a day with more than {{limit}} requests, the latest {{limit}} count.', { limit: requestsPerDayMax })}
          </p>
        )}
      </div>
      <BarChart
        id="latency"
        title={t('Latency per day, in ms')}
        summary={t('On the slowest day, 95% of the requests took at most {{slowest}} ms.', {
          slowest: Math.max(...days.map(({ slowMs }) => slowMs)),
        })}
        head={t('Day')}
        series={[t('Median'), t('95th percentile')]}
        bars={days.map((day) => ({ ...labels(day), values: [day.medianMs, day.slowMs] }))}
        isNested
      />
    </div>
  );
}

const total = (days: readonly RequestDay[], name: 'succeeded' | 'refused' | 'failed'): number =>
  days.reduce((sum, day) => sum + day[name], 0);
