import type { Context } from '../../context.ts';
import type { Reply } from '../../contract/types.ts';
import { listRegions } from './list-regions.ts';

/** The same list as listRegions under its other name. */
export const listDistricts = (ctx: Context): Promise<Reply<'listDistricts'>> => listRegions(ctx);
