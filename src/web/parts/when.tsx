import type { Day } from '../../domain/dates.ts';
import { useFrame } from '../frame.tsx';

/** An instant in the service's time zone: 21 Nov 2026, 14:05, or 14:05:09 where seconds matter. */
export function Instant({ at, withSeconds = false }: { readonly at: Date; readonly withSeconds?: boolean }) {
  const { timeZone } = useFrame();
  const timeStyle = withSeconds ? 'medium' : 'short';
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone }).format(at);
  return (
    <time class="nowrap" dateTime={at.toISOString()}>
      {text}
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
