import * as z from 'zod';
import { findMaintenance, retryAfterSecondsMax, writeMaintenance } from '../../../auth/maintenance-sql.ts';
import { minuteText } from '../../../domain/dates.ts';
import { invalidField } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { instantsIn, minute, reason, wholeNumber } from '../../kit/fields.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';

const retryAfterSecondsDefault = 60;

/** Closes the API of every process within a second: it answers 503. During maintenance, changes it. Throws `invalid_input`. */
export const startMaintenance = declare({
  command: 'maintenance on',
  title: 'Close the API for maintenance',
  label: 'Start maintenance',
  by: ['operator', 'administrator'],
  records: 'maintenance.started',
  dangerous: 'The API refuses every request until somebody ends the maintenance, also after the expected time.',
  input: z.object({
    retryAfter: wholeNumber(1, retryAfterSecondsMax)
      .default(retryAfterSecondsDefault)
      .meta({
        label: 'Programs try again after',
        hint: { text: 'In seconds; {{seconds}} if empty.', params: { seconds: retryAfterSecondsDefault } },
        example: '300',
      }),
    until: minute().optional().meta({ label: 'Expected until' }),
    reason: reason().optional().meta({ hint: 'Every page shows it.' }),
  }),
  subject: async ({ db, now, timeZone }) => {
    const { retryAfterSeconds: retryAfter, until, reason } = (await findMaintenance(db)) ?? {};
    const end = until === undefined ? undefined : new Date(until);
    // A time that is past would refuse the form.
    return { values: { retryAfter, until: end && end > now ? minuteText(timeZone, end) : undefined, reason } };
  },
  done: 'The API is in maintenance. All requests are refused.',
  run: (ctx, { retryAfter, until: minute, reason }) => {
    const end = instantsIn(ctx, 'until', minute).at(-1);
    if (end && end <= ctx.now) throw invalidField('until', 'must be in the future');
    const until = end?.toISOString();
    return recorded(ctx, async (tx) => {
      const since = ctx.now.toISOString();
      const asked = { retryAfterSeconds: retryAfter, since, ...(until && { until }), ...(reason && { reason }) };
      const { before, after } = await writeMaintenance(tx, asked);
      const details = { retry_after_seconds: retryAfter, ...(until && { until }) };
      return ifChanged(before, after, {
        result: { maintenance: true, retryAfterSeconds: retryAfter },
        audit: { details },
      });
    });
  },
});

/** Opens the API again. */
export const endMaintenance = declare({
  command: 'maintenance off',
  title: 'Open the API again',
  label: 'End maintenance',
  by: ['operator', 'administrator'],
  records: 'maintenance.ended',
  input: z.object({}),
  done: 'The API is open.',
  run: (ctx) =>
    recorded(ctx, async (tx) => {
      const { before } = await writeMaintenance(tx, undefined);
      return ifChanged(before, undefined, { result: { maintenance: false }, audit: {} });
    }),
});
