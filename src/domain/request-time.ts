import { type Day, dayIn } from './dates.ts';

/** One instant, handed in: no rule reads a clock. */
export interface RequestTime {
  readonly now: Date;
  /** The day of `now` in the service's time zone. */
  readonly today: Day;
  /** The service's, an IANA name. */
  readonly timeZone: string;
}

export const requestTimeAt = (now: Date, timeZone: string): RequestTime => ({
  now,
  today: dayIn(timeZone, now),
  timeZone,
});
