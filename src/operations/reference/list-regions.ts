import type { Context } from '../../context.ts';
import type { Reply } from '../../contract/types.ts';

/** The complete list of districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: Context): Promise<Reply<'listRegions'>> {
  const list = await ctx.reference.districts(ctx.now);
  return { status: 200, body: list.body, cached: list };
}
