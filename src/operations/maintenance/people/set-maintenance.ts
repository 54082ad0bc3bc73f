import * as z from 'zod';
import { retryAfterSecondsMax, writeMaintenance } from '../../../auth/maintenance-sql.ts';
import { declare } from '../../kit/declare.ts';
import { wholeNumber } from '../../kit/fields.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';

const retryAfterSecondsDefault = 60;

/** Closes the API of every process within a second. Throws `invalid_input`. */
export const startMaintenance = declare({
  command: 'maintenance on',
  title: 'Answer 503 on the API of every process, within a second',
  by: ['operator'],
  records: 'maintenance.started',
  dangerous: 'Every request to the API is refused with 503.',
  input: z.object({
    retryAfter: wholeNumber(1, retryAfterSecondsMax)
      .default(retryAfterSecondsDefault)
      .meta({
        label: 'Retry-After for clients',
        hint: `In seconds; ${retryAfterSecondsDefault} if empty.`,
        example: '300',
      }),
  }),
  done: 'the API answers 503',
  run: (ctx, { retryAfter }) =>
    recorded(ctx, async (tx) => {
      const after = { retryAfterSeconds: retryAfter };
      const before = await writeMaintenance(tx, after);
      const details = { retry_after_seconds: retryAfter };
      return { result: { maintenance: true, ...after }, audit: ifChanged(before, after, { details }) };
    }),
});

/** Opens the API again. */
export const endMaintenance = declare({
  command: 'maintenance off',
  title: 'Open the API again',
  by: ['operator'],
  records: 'maintenance.ended',
  input: z.object({}),
  done: 'the API is open',
  run: (ctx) =>
    recorded(ctx, async (tx) => {
      const before = await writeMaintenance(tx, undefined);
      return { result: { maintenance: false }, audit: ifChanged(before, undefined, {}) };
    }),
});
