import type { RequestTime } from '../domain/dates.ts';
import { addDays, type Day, startOfDay } from '../domain/dates.ts';
import { invalidField } from '../domain/errors.ts';
import { day } from './fields.ts';

/** The days of a list. */
export const days = () => ({
  firstDay: day().optional().meta({ label: 'First day' }),
  lastDay: day().optional().meta({ label: 'Last day' }),
});

interface Days {
  readonly firstDay?: Day | undefined;
  readonly lastDay?: Day | undefined;
}

/** The end is exclusive. Throws `invalid_input` for a last day before the first, or out of range. */
export function spanOf({ timeZone }: RequestTime, { firstDay, lastDay }: Days): { from?: Date; until?: Date } {
  if (firstDay !== undefined && lastDay !== undefined && lastDay < firstDay)
    throw invalidField('lastDay', 'must not be before the first day');
  return {
    ...(firstDay !== undefined && { from: startOfDay(timeZone, firstDay) }),
    ...(lastDay !== undefined && { until: startOfDay(timeZone, addDays(lastDay, 1)) }),
  };
}
