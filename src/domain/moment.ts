import { type Day, dayIn } from './dates.ts';

/** One instant, handed in: no rule reads a clock. */
export interface Moment {
  readonly now: Date;
  /** The day of `now` in the service's time zone. */
  readonly today: Day;
  /** The service's, an IANA name. */
  readonly timeZone: string;
}

export const momentAt = (now: Date, timeZone: string): Moment => ({ now, today: dayIn(timeZone, now), timeZone });
