import { type Day, dayIn, dayMs, dayToDate, minuteText } from '../../domain/dates.ts';

/** Caches each format: a format holds memory outside V8's heap, and one per instant would take hundreds of MB. */
function kept<O extends object, F>(make: (locale: string, options: O) => F): (locale: string, options: O) => F {
  const known = new Map<string, F>();
  return (locale, options) => {
    const key = `${locale} ${Object.entries(options).join(' ')}`;
    const format = known.get(key) ?? make(locale, options);
    known.set(key, format);
    return format;
  };
}

const dates = kept((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
const numbers = kept((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));

const agos = kept((locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options));

/** 21 Nov 2026, 14:05, or 14:05:09 with seconds. 31 Oct 2027, 01:30:00 WET if the clocks show the minute twice. */
export function instantText(at: Date, locale: string, timeZone: string, style: 'short' | 'medium'): string {
  const timeStyle = minuteText(timeZone, at).endsWith('Z') ? 'long' : style;
  return dates(locale, { dateStyle: 'medium', timeStyle, timeZone }).format(at);
}

const units = Object.entries({ year: 31_536_000, month: 2_592_000, day: 86_400, hour: 3600, minute: 60, second: 1 });

/** Between these numbers of seconds, the distance is counted in calendar days of the time zone. */
const countedInDays = { from: 2 * 86_400, to: 2_592_000 };

/** 3 hours ago, or: in 5 days. */
export function agoText(at: Date, now: Date, locale: string, timeZone: string): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const far = Math.abs(seconds);
  if (far >= countedInDays.from && far < countedInDays.to) {
    const [then, today] = [at, now].map((instant) => dayToDate(dayIn(timeZone, instant)).getTime());
    return agos(locale, { numeric: 'always' }).format((Number(then) - Number(today)) / dayMs, 'day');
  }
  const [unit, size] = units.find(([unit, size]) => unit !== 'day' && far >= size) ?? ['second', Infinity];
  // Only "now" replaces a number by a word: "next year" instead of "in 1 year" would say too little about a date.
  const numeric = unit === 'second' ? 'auto' : 'always';
  return agos(locale, { numeric }).format(Math.trunc(seconds / size), unit as Intl.RelativeTimeFormatUnit);
}

/** 14:05 */
export const timeText = (at: Date, locale: string, timeZone: string): string =>
  dates(locale, { timeStyle: 'short', timeZone }).format(at);

/** 21 Nov 2026 */
export const dayText = (day: Day, locale: string): string =>
  dates(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** 21 Nov */
export const shortDayText = (day: Day, locale: string): string =>
  dates(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** 12,000, or 0.000001: with all its decimal places. */
export const numberText = (value: number, locale: string): string =>
  numbers(locale, { maximumFractionDigits: 20 }).format(value);

/** The decimal sign of a language: a point or a comma. */
export const decimalSign = (locale: string): string => numberText(0.5, locale).charAt(1);

/** €1,200.50, from a decimal as the API writes it. */
export const eurosText = (decimal: string, locale: string): string =>
  numbers(locale, { style: 'currency', currency: 'EUR' }).format(Number(decimal));
