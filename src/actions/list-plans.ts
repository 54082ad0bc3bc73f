import * as store from '../store/plans.ts';
import type { ActionContext } from './context.ts';

/** All plans, in the order of their ids. */
export const listPlans = (ctx: ActionContext): Promise<store.PlanRow[]> => store.listPlans(ctx.db);
