import { seedMissing } from '../../queries/reference-data.ts';
import { type ActionContext, recorded } from '../recorded.ts';

/** Inserts the plans, districts and categories that are missing; those that are there stay as people may have changed them. */
export function seedReference(ctx: ActionContext): Promise<{ inserted: number }> {
  return recorded(ctx, async (tx) => {
    const inserted = await seedMissing(tx);
    return { result: { inserted }, audit: inserted > 0 ? { action: 'reference.seeded', details: { inserted } } : null };
  });
}
