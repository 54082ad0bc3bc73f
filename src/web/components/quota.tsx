import { addDays } from '../../domain/dates.ts';
import { type Period, remaining, unlimited } from '../../domain/eligibility.ts';
import { useT } from '../texts/t.ts';
import { CalendarDay } from './text.tsx';

interface QuotaProps {
  readonly id: string;
  readonly used: number;
  readonly limit: number;
  /** Null for the sandbox, which counts until its reset. */
  readonly period: Period | null;
}

/** From this share on, a quota is nearly used up. */
const warnedShare = 0.8;

export function quotaState({ used, limit }: Pick<QuotaProps, 'used' | 'limit'>): 'enough' | 'low' | 'full' {
  if (limit === unlimited || used < limit * warnedShare) return 'enough';
  return used < limit ? 'low' : 'full';
}

/** How much of a quota is used, in words and as a bar, with a warning if it is used up, or nearly. */
export function Quota({ id, used, limit, period }: QuotaProps) {
  const t = useT();
  const counts = { used, limit, left: remaining(limit, used) };
  const max = Math.max(limit, 1);
  const usage = period
    ? t('{{used}} of {{limit}} jobs used, {{left}} left', counts)
    : t('{{used}} of {{limit}} jobs used since the last reset, {{left}} left', counts);
  return (
    <>
      <p id={id}>
        {limit === unlimited
          ? t('{{count}} jobs posted, no limit', { count: used, one: '{{count}} job posted, no limit' })
          : usage}
        {period &&
          t(', from {{start}} to {{end}}', {
            start: <CalendarDay day={period.start} />,
            end: <CalendarDay day={period.end} />,
          })}
        .
      </p>
      {limit !== unlimited && (
        // Green up to `low`, amber up to `high`, then red.
        <meter value={Math.min(used, limit)} max={max} {...meterRange(max)} aria-labelledby={id} />
      )}
      <Warning state={quotaState(counts)} period={period} />
    </>
  );
}

const meterRange = (max: number) => ({ low: max * warnedShare - 0.1, high: max - 0.1, optimum: 0 });

function Warning({ state, period }: { readonly state: 'enough' | 'low' | 'full'; readonly period: Period | null }) {
  const t = useT();
  if (state === 'enough') return null;
  const day = period && <CalendarDay day={addDays(period.end, 1)} />;
  if (state === 'low')
    return day && <p class="alert waiting">{t('Nearly used up. The next period begins on {{day}}.', { day })}</p>;
  return (
    <p class="alert">
      {day
        ? t('Used up. New jobs are refused until the next period begins on {{day}}.', { day })
        : t('The sandbox is full. New jobs are refused until you reset it.')}
    </p>
  );
}
