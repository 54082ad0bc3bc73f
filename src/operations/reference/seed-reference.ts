import type { Context } from '../../context.ts';
import { insertMissingReference } from '../../queries/reference.ts';
import { recorded } from '../recorded.ts';

/** Inserts the missing plans, districts and categories. Existing rows stay as people may have changed them. */
export function seedReference(ctx: Context): Promise<{ inserted: number }> {
  return recorded(ctx, async (tx) => {
    const inserted = await insertMissingReference(tx);
    return { result: { inserted }, audit: inserted > 0 ? { action: 'reference.seeded', details: { inserted } } : null };
  });
}
