import type { Day } from '../../domain/dates.ts';
import { useFrame } from '../frame.tsx';

type TimeStyle = 'short' | 'medium';

/** By time zone and style. Each holds memory outside of V8's heap, which a format for every instant would fill by hundreds of MB. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, timeStyle: TimeStyle): Intl.DateTimeFormat {
  const key = `${timeZone} ${timeStyle}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone });
  formats.set(key, format);
  return format;
}

/** An instant in the service's time zone: 21 Nov 2026, 14:05, or 14:05:09 where seconds matter. */
export function Instant({ at, withSeconds = false }: { readonly at: Date; readonly withSeconds?: boolean }) {
  const { timeZone } = useFrame();
  return (
    <time class="nowrap" dateTime={at.toISOString()}>
      {formatOf(timeZone, withSeconds ? 'medium' : 'short').format(at)}
    </time>
  );
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the calendar: 21 Nov 2026. */
export const CalendarDay = ({ day }: { readonly day: Day }) => (
  <time class="nowrap" dateTime={day}>
    {days.format(new Date(`${day}T00:00:00Z`))}
  </time>
);
