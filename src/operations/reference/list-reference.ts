import type { ApiContext, Context } from '../../context.ts';
import { options } from '../../contract/options.ts';
import type { Reply } from '../../contract/types.ts';
import { etagOf } from '../../domain/etag.ts';
import * as queries from '../../queries/reference-data.ts';

const listAnswer = <T>(data: T) => {
  const body = { data };
  return { status: 200, headers: { ETag: etagOf(JSON.stringify(body)) }, body } as const;
};

/** Lists all active categories, main areas and their children. A change shows within a second. */
export async function listCategories(ctx: ApiContext): Promise<Reply<'listCategories'>> {
  return listAnswer(await ctx.reference.categories(ctx.now));
}

/** Lists all districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: ApiContext): Promise<Reply<'listRegions'>> {
  return listAnswer(await ctx.reference.districts(ctx.now));
}

/** The same list under its other name. */
export const listDistricts = (ctx: ApiContext): Promise<Reply<'listDistricts'>> => listRegions(ctx);

/** Lists all districts by id for the administration, which has no cache. */
export const listAllDistricts = (ctx: Context) => queries.listDistricts(ctx.db);

/** Lists the values of the enumerated fields, as the contract has them. */
export async function listOptions(): Promise<Reply<'listOptions'>> {
  return listAnswer(options);
}
