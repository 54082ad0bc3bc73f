import type { ComponentChildren } from 'preact';
import type { Day } from '../../domain/dates.ts';
import { usePageInfo } from '../page-info.ts';

/** Text for screen readers; its place on the page says the same to everyone else. */
export const VisuallyHidden = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="visually-hidden">{children}</span>
);

/** Names and values. A value that is null is left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

type TimeStyle = 'short' | 'medium';

/** By time zone and style. A format holds memory outside V8's heap; one per instant would take hundreds of MB. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string, timeStyle: TimeStyle): Intl.DateTimeFormat {
  const key = `${timeZone} ${timeStyle}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone });
  formats.set(key, format);
  return format;
}

/** An instant in the service's time zone: 21 Nov 2026, 14:05, or 14:05:09 with seconds. */
export function Instant({ at, withSeconds = false }: { readonly at: Date; readonly withSeconds?: boolean }) {
  const { timeZone } = usePageInfo();
  return (
    <time class="nowrap" dateTime={at.toISOString()}>
      {formatOf(timeZone, withSeconds ? 'medium' : 'short').format(at)}
    </time>
  );
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A calendar day: 21 Nov 2026. */
export const CalendarDay = ({ day }: { readonly day: Day }) => (
  <time class="nowrap" dateTime={day}>
    {days.format(new Date(`${day}T00:00:00Z`))}
  </time>
);
