import { type RequestDay, requestsPerDayMax } from '../../operations/statistics/company-statistics.ts';
import { BarChart } from '../components/bar-chart.tsx';
import { CalendarDay, shortDay } from '../components/text.tsx';
import { useTexts } from '../texts/texts.ts';

/** The requests of each day by class of status, and their latency. Nothing without requests: the list says so. */
export function RequestStatistics({ days }: { readonly days: readonly RequestDay[] }) {
  const { requests: texts, charts, locale } = useTexts();
  const [succeeded, refused, failed] = [total(days, 'succeeded'), total(days, 'refused'), total(days, 'failed')];
  const requests = succeeded + refused + failed;
  if (requests === 0) return null;
  const labels = ({ day }: RequestDay) => ({ label: shortDay(day, locale), head: <CalendarDay day={day} /> });
  return (
    <div class="grid">
      <div>
        <BarChart
          id="per-day"
          title={texts.perDay}
          summary={texts.perDaySummary(requests, refused, failed)}
          head={charts.day}
          series={[texts.succeeded, texts.refused, texts.failed]}
          bars={days.map((day) => ({ ...labels(day), values: [day.succeeded, day.refused, day.failed] }))}
        />
        {days.some((day) => day.succeeded + day.refused + day.failed >= requestsPerDayMax) && (
          <p>{texts.perDayLimit(requestsPerDayMax.toLocaleString(locale))}</p>
        )}
      </div>
      <BarChart
        id="latency"
        title={texts.latencyPerDay}
        summary={texts.latencySummary(Math.max(...days.map(({ slowMs }) => slowMs)))}
        head={charts.day}
        series={[texts.median, texts.slow]}
        bars={days.map((day) => ({ ...labels(day), values: [day.medianMs, day.slowMs] }))}
        isNested
      />
    </div>
  );
}

const total = (days: readonly RequestDay[], name: 'succeeded' | 'refused' | 'failed'): number =>
  days.reduce((sum, day) => sum + day[name], 0);
