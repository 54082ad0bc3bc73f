/** A calendar day, YYYY-MM-DD; compares as a string. */
export type Day = string;

export const minuteMs = 60_000;
/** A day of 24 hours. */
export const dayMs = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offsets from UTC are multiples of 15 minutes, so the day cannot change within a quarter of an hour. */
const quarterMs = 900_000;
let latest: { timeZone: string; quarter: number; day: Day } | undefined;

/** Returns the calendar day of an instant in a time zone (IANA name). */
export function dayIn(timeZone: string, instant: Date): Day {
  const quarter = Math.floor(instant.getTime() / quarterMs);
  if (latest?.timeZone !== timeZone || latest.quarter !== quarter)
    latest = { timeZone, quarter, day: minuteIn(timeZone, instant).slice(0, 10) };
  return latest.day;
}

/** Returns the last day of what ends at an instant, which is exclusive. */
export const lastDayBefore = (timeZone: string, end: Date | string): Day =>
  dayIn(timeZone, new Date(new Date(end).getTime() - 1));

/** Sweden's format is that of ISO 8601 with a space: 2026-11-25 10:42. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format;
}

const minuteIn = (timeZone: string, instant: Date): string => formatOf(timeZone).format(instant);

const minutePattern = /^([12]\d{3}-\d{2}-\d{2})[T ]((?:[01]\d|2[0-3]):[0-5]\d)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** Whether a text is a minute from 1000 to 2999, written YYYY-MM-DDTHH:MM, with or without Z or an offset. */
export const isMinute = (text: string): boolean => isDay(minutePattern.exec(text)?.[1] ?? '');

/** Returns the instants of a minute, in order. Without an offset, two if the zone's clocks show it twice, and none if they skip it. */
export function instantsOf(timeZone: string, minute: string): Date[] {
  const [, day, time, offset] = minutePattern.exec(minute) ?? [];
  const ms = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (offset !== undefined) return [new Date(ms)];
  // Tries the UTC offsets of the day before and of the day after.
  const around = [ms - dayMs, ms + dayMs].map((at) => at + ms - Date.parse(`${minuteIn(timeZone, new Date(at))}Z`));
  return [...new Set(around)].map((at) => new Date(at)).filter((at) => minuteIn(timeZone, at) === `${day} ${time}`);
}

/** Writes an instant's minute in the time zone, or in UTC if the zone's clocks show that minute twice. `instantsOf` reads it as one instant. */
export function minuteText(timeZone: string, instant: Date): string {
  const minute = minuteIn(timeZone, instant).replace(' ', 'T');
  return instantsOf(timeZone, minute).length === 1 ? minute : `${instant.toISOString().slice(0, 16)}Z`;
}

/** Returns the first quarter of an hour of a day in a time zone. That is not midnight on a day when the clocks skip midnight. */
export function startOfDay(timeZone: string, day: Day): Date {
  const format = formatOf(timeZone);
  // In quarters of an hour. Offsets are at most 14 hours, so the day begins later than `before` and no later than `begun`.
  let before = dayToDate(day).getTime() / quarterMs - 60;
  let begun = before + 120;
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (format.format(middle * quarterMs) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun * quarterMs);
}

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})t((?:[01]\d|2[0-3]):[0-5]\d:)([0-5]\d|60)(\.\d{1,40})?(z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The milliseconds of an RFC 3339 instant, rounded up; NaN for other text. A leap second counts as the second after it. */
export function instantOf(text: string): number {
  const [, day = '', minute, second, fraction = '', zone = ''] = instantPattern.exec(text) ?? [];
  const ms = Date.parse(`${day}T${minute}${second === '60' ? '59' : second}${zone.toUpperCase()}`);
  if (Number.isNaN(ms) || !isInCalendar(day)) return Number.NaN;
  const whole = ms + (second === '60' ? 1000 : 0);
  if (second === '60' && whole % dayMs !== 0) return Number.NaN;
  return whole + Number(fraction.slice(1, 4).padEnd(3, '0')) + (/[1-9]/.test(fraction.slice(4)) ? 1 : 0);
}

/** Whether a text is an RFC 3339 instant: a day and a time with its offset. */
export const isInstant = (text: string): boolean => !Number.isNaN(instantOf(text));

/** Whether a text is an RFC 3339 time with its offset. */
export const isTime = (text: string): boolean => isInstant(`1970-01-02T${text}`);

/** Whether a text is an existing day from the year 1, written YYYY-MM-DD. PostgreSQL has no year 0. */
export const isDay = (text: string): text is Day => isInCalendar(text) && text >= '0001';

function isInCalendar(text: string): boolean {
  const date = dayToDate(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(date.getTime()) && dateToDay(date) === text;
}

/** A day as the database stores it: midnight UTC. */
export const dayToDate = (day: Day): Date => new Date(`${day}T00:00:00.000Z`);

export const dateToDay = (date: Date): Day => date.toISOString().slice(0, 10);

export function addDays(day: Day, days: number): Day {
  const date = dayToDate(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dateToDay(date);
}

/** Returns the day `months` after `anchor`. In a month that is too short, returns its last day. */
export function addMonths(anchor: Day, months: number): Day {
  const [year, month, day] = anchor.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateToDay(new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))));
}

/** The time at which a request is judged. Rules get it as an argument and never read a clock. */
export interface RequestTime {
  readonly now: Date;
  /** In the service's time zone. */
  readonly today: Day;
  /** The service's time zone, an IANA name. */
  readonly timeZone: string;
}

export const requestTimeAt = (now: Date, timeZone: string): RequestTime => ({
  now,
  today: dayIn(timeZone, now),
  timeZone,
});
