import { addDays, addMonths, type Day } from './dates.ts';

export const unlimited = -1;
export const sandboxCapacity = 100;

/** Both days belong to the period. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

/** The monthly period that `today` falls into, anchored on the day on which the subscription or grant began. */
export function monthlyPeriod(anchor: Day, today: Day): Period {
  const [anchorYear, anchorMonth] = anchor.split('-').map(Number) as [number, number];
  const [year, month] = today.split('-').map(Number) as [number, number];
  let months = (year - anchorYear) * 12 + (month - anchorMonth);
  if (addMonths(anchor, months) > today) months -= 1;
  const start = addMonths(anchor, Math.max(months, 0));
  return { start, end: addDays(addMonths(anchor, Math.max(months, 0) + 1), -1) };
}

/** Postings left of a limit; -1 where there is no limit. */
export const remaining = (limit: number, used: number): number =>
  limit === unlimited ? unlimited : Math.max(limit - used, 0);
