import type { Context } from '../context.ts';
import type { Reply } from '../contract/types.ts';
import { listDistricts } from '../store/reference.ts';

/** The complete list of districts and autonomous regions; their ids are a job's `district_id`. */
export async function listRegions(ctx: Context): Promise<Reply<'listRegions'>> {
  return { status: 200, body: { data: await listDistricts(ctx.db) } };
}
