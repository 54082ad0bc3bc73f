import * as z from 'zod';
import { retryAfterSecondsMax, writeMaintenance } from '../../../auth/maintenance-sql.ts';
import { invalidField } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { instantsIn, minute, reason, wholeNumber } from '../../kit/fields.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';

const retryAfterSecondsDefault = 60;

/** Closes the API of every process within a second. Throws `invalid_input`. */
export const startMaintenance = declare({
  command: 'maintenance on',
  title: 'Answer 503 on the API of every process, within a second',
  label: 'Start maintenance',
  by: ['operator', 'administrator'],
  records: 'maintenance.started',
  dangerous: 'Every request to the API is refused with 503.',
  input: z.object({
    retryAfter: wholeNumber(1, retryAfterSecondsMax)
      .default(retryAfterSecondsDefault)
      .meta({
        label: 'Retry-After for clients',
        hint: { text: 'In seconds; {{seconds}} if empty.', params: { seconds: retryAfterSecondsDefault } },
        example: '300',
      }),
    until: minute().optional().meta({ label: 'Expected until' }),
    reason: reason().optional().meta({ hint: 'Every page shows it.' }),
  }),
  done: 'The API answers 503.',
  run: (ctx, { retryAfter, until: minute, reason }) => {
    const end = instantsIn(ctx, 'until', minute).at(-1);
    if (end && end <= ctx.now) throw invalidField('until', 'must be in the future');
    const until = end?.toISOString();
    return recorded(ctx, async (tx) => {
      const since = ctx.now.toISOString();
      const asked = { retryAfterSeconds: retryAfter, since, ...(until && { until }), ...(reason && { reason }) };
      const { before, after } = await writeMaintenance(tx, asked);
      const details = { retry_after_seconds: retryAfter, ...(until && { until }) };
      return {
        result: { maintenance: true, retryAfterSeconds: retryAfter },
        audit: ifChanged(before, after, { details }),
      };
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
      return { result: { maintenance: false }, audit: ifChanged(before, undefined, {}) };
    }),
});
