import type { Context } from '../../context.ts';
import { options } from '../../contract/options.ts';
import type { Reply } from '../../contract/types.ts';
import { cachedJson } from '../../domain/cached-json.ts';

/** The complete list of active categories, main areas and their children; a change is seen within a second. */
export async function listCategories(ctx: Context): Promise<Reply<'listCategories'>> {
  const list = await ctx.reference.categories(ctx.now);
  return { status: 200, body: list.body, cached: list };
}

/** The complete list of districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: Context): Promise<Reply<'listRegions'>> {
  const list = await ctx.reference.districts(ctx.now);
  return { status: 200, body: list.body, cached: list };
}

/** The same list as listRegions under its other name. */
export const listDistricts = (ctx: Context): Promise<Reply<'listDistricts'>> => listRegions(ctx);

const list = cachedJson({ data: options });

/** The accepted values of the enumerated fields, as the contract lists them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return { status: 200, body: list.body, cached: list };
}
