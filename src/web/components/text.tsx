import type { ComponentChildren } from 'preact';
import type { Day } from '../../domain/dates.ts';
import { usePageInfo } from '../page-info.ts';
import { useTexts } from '../texts/texts.ts';

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

/** By locale and options. A format holds memory outside V8's heap; one per instant would take hundreds of MB. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${Object.values(options).join(' ')}`;
  const known = formats.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** An instant in the service's time zone: 21 Nov 2026, 14:05, or 14:05:09 with seconds. */
export function Instant({ at, withSeconds = false }: { readonly at: Date; readonly withSeconds?: boolean }) {
  const { timeZone } = usePageInfo();
  const { locale } = useTexts();
  const timeStyle = withSeconds ? 'medium' : 'short';
  return (
    <time class="nowrap" dateTime={at.toISOString()}>
      {formatOf(locale, { dateStyle: 'medium', timeStyle, timeZone }).format(at)}
    </time>
  );
}

/** A calendar day without its year: 21 Nov. */
export const shortDay = (day: Day, locale: string): string =>
  formatOf(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** A calendar day: 21 Nov 2026. */
export function CalendarDay({ day }: { readonly day: Day }) {
  const { locale } = useTexts();
  return (
    <time class="nowrap" dateTime={day}>
      {formatOf(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))}
    </time>
  );
}
