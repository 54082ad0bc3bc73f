import { type ComponentChildren, Fragment } from 'preact';
import type { Day } from '../../domain/dates.ts';
import { usePageRequest, useT } from '../page.ts';
import { agoText, dayText, instantText } from '../texts/formats.ts';

/** Text only for screen readers. Sighted readers get the same information from the layout. */
export const VisuallyHidden = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="visually-hidden">{children}</span>
);

/** Adds a sentence that says whom to contact. Empty if the operator has set no contact. */
export function Support() {
  const { support, t } = usePageRequest();
  if (!support) return null;
  return <> {t('Contact {{contact}}.', { contact: <a href={support.href}>{support.text}</a> })}</>;
}

/** Names the database nodes that do not answer. A page leaves out their companies. */
export function LeftOut({ nodes = [] }: { readonly nodes?: readonly number[] | undefined }) {
  const t = useT();
  if (nodes.length === 0) return null;
  const text = t('The companies on these nodes of the database are left out, because they do not answer: {{nodes}}.', {
    nodes: nodes.join(', '),
  });
  return <p class="alert">{text}</p>;
}

/** The result of what the reader did. vaga.js moves the focus to the first one, so that a screen reader reads it. */
export const Notice = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="notice" role="status" tabIndex={-1}>
    {children}
  </div>
);

/** Lists names with their values. Null values are left out. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt class="text-light">{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);

/** An instant in the service's time zone, and how long ago that is: 21 Nov 2026, 14:05 (3 hours ago); with seconds 14:05:09. */
export function Instant({ at, withSeconds = false }: { readonly at: Date; readonly withSeconds?: boolean }) {
  const { timeZone, now, t } = usePageRequest();
  const text = (style: 'short' | 'medium') => instantText(at, t.locale, timeZone, style);
  return (
    <time dateTime={at.toISOString()} title={`${text('medium')} ${timeZone}`}>
      <span class={withSeconds ? 'exact' : undefined}>{text(withSeconds ? 'medium' : 'short')}</span>{' '}
      <small class="text-light">{`(${agoText(at, now, t.locale, timeZone)})`}</small>
    </time>
  );
}

/** A calendar day: 21 Nov 2026. */
export function CalendarDay({ day }: { readonly day: Day }) {
  const { locale } = useT();
  return <time dateTime={day}>{dayText(day, locale)}</time>;
}

export type Tone = 'good' | 'waiting' | 'bad' | 'quiet';

/** The tones' names in the style sheet Oat. */
const variants = { good: 'success', waiting: 'warning', bad: 'danger', quiet: undefined };

/** A state in one or two words. The colour only repeats what the words say. */
export const Badge = ({ tone, text }: { readonly tone: Tone; readonly text: string }) => (
  <span class={tone === 'quiet' ? 'badge outline' : 'badge'} data-variant={variants[tone]}>
    {text}
  </span>
);
