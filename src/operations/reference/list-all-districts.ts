import * as store from '../../queries/reference.ts';
import type { ActionContext } from '../recorded.ts';

/** All districts, in the order of their ids. */
export const listDistricts = (ctx: ActionContext) => store.listDistricts(ctx.db);
