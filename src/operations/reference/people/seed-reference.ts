import * as z from 'zod';
import { declare } from '../../kit/declare.ts';
import { recorded } from '../../kit/recorded.ts';
import { insertMissingReference } from '../reference-sql.ts';

/** Inserts missing plans, districts and categories. Existing rows stay unchanged, because people may have edited them. */
export const seedReference = declare({
  command: 'seed',
  title: 'Insert missing plans, districts and categories; existing ones stay unchanged',
  by: ['operator'],
  records: 'reference.seeded',
  input: z.object({}),
  done: '{{inserted}} rows of reference data inserted',
  run: (ctx) =>
    recorded(ctx, async (tx) => {
      const inserted = await insertMissingReference(tx);
      return { result: { inserted }, audit: inserted > 0 ? { details: { inserted } } : null };
    }),
});
