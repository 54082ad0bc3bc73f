import type { Context } from '../../context.ts';
import type { Reply } from '../../contract/types.ts';

/** The complete list of active categories, main areas and their children; a change is seen within a second. */
export async function listCategories(ctx: Context): Promise<Reply<'listCategories'>> {
  const list = await ctx.reference.categories(ctx.now);
  return { status: 200, body: list.body, cached: list };
}
