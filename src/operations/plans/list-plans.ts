import * as store from '../../queries/plans.ts';
import type { ActionContext } from '../recorded.ts';

/** All plans, in the order of their ids. */
export const listPlans = (ctx: ActionContext): Promise<store.PlanRow[]> => store.listPlans(ctx.db);
