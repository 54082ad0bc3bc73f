import { type Day, dayIn } from './dates.ts';

/** The time that a request is evaluated at. Rules get it as an argument and never read a clock. */
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
