import type { Context } from '../context.ts';
import type { Reply } from '../contract/types.ts';
import * as reference from '../store/reference.ts';

/** The complete list of active categories, main areas and their children. */
export async function listCategories(ctx: Context): Promise<Reply<'listCategories'>> {
  return { status: 200, body: { data: await reference.listCategories(ctx.db) } };
}
