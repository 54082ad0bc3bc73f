import type { ApiContext } from '../../context.ts';
import { options } from '../../contract/options.ts';
import type { Reply } from '../../contract/types.ts';
import { cachedJson } from '../../domain/cached-json.ts';

/** Lists all active categories, main areas and their children. A change shows within a second. */
export async function listCategories(ctx: ApiContext): Promise<Reply<'listCategories'>> {
  const list = await ctx.reference.categories(ctx.now);
  return { status: 200, body: list.body, cached: list };
}

/** Lists all districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: ApiContext): Promise<Reply<'listRegions'>> {
  const list = await ctx.reference.districts(ctx.now);
  return { status: 200, body: list.body, cached: list };
}

/** The same list under its other name. */
export const listDistricts = (ctx: ApiContext): Promise<Reply<'listDistricts'>> => listRegions(ctx);

const optionList = cachedJson({ data: options });

/** Lists the values of the enumerated fields, as the contract has them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return { status: 200, body: optionList.body, cached: optionList };
}
