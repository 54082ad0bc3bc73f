import * as store from '../store/reference.ts';
import type { ActionContext } from './context.ts';

/** All districts, in the order of their ids. */
export const listDistricts = (ctx: ActionContext) => store.listDistricts(ctx.db);
