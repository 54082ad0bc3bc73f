import { unlimited } from '../../domain/eligibility.ts';
import * as store from '../../queries/plans.ts';
import { findPlan, insertPlan, lockPlans, type PlanRow, updatePlan } from '../../queries/plans.ts';
import { integerMax, lineOf, wholeNumberOf } from '../check-input.ts';
import { invalidInput, nothingToChange } from '../errors.ts';
import { type ActionContext, recorded } from '../recorded.ts';

export interface PlanChange {
  /** Upper and lower case alike. */
  readonly name: string;
  /** Postings a month; -1 means unlimited. */
  readonly postingLimit?: number | undefined;
  /** Whether it opens production to the company's credentials; a new plan does not unless told. */
  readonly apiEligible?: boolean | undefined;
}

/**
 * Changes what is given of a plan, for its subscribers at once, or makes a new plan, which needs a limit.
 * Refuses with `invalid_input`.
 */
export function setPlan(ctx: ActionContext, { postingLimit, apiEligible, ...named }: PlanChange): Promise<PlanRow> {
  const name = lineOf('name', named.name, 100);
  if (postingLimit !== undefined) wholeNumberOf('postingLimit', postingLimit, unlimited, integerMax);
  if (postingLimit === undefined && apiEligible === undefined) throw nothingToChange();
  return recorded(ctx, async (tx) => {
    await lockPlans(tx);
    const known = await findPlan(tx, name);
    if (!known && postingLimit === undefined) throw invalidInput('postingLimit', 'must be given for a new plan');
    const columns = {
      postingLimit: postingLimit ?? known?.postingLimit ?? 0,
      apiEligible: apiEligible ?? known?.apiEligible ?? false,
    };
    const plan = known ? await updatePlan(tx, known.id, columns) : await insertPlan(tx, { name, ...columns });
    const details = { plan_id: plan.id, posting_limit: plan.postingLimit, api_eligible: plan.apiEligible };
    return { result: plan, audit: { action: 'plan.set', details } };
  });
}

/** All plans, in the order of their ids. */
export const listPlans = (ctx: ActionContext): Promise<store.PlanRow[]> => store.listPlans(ctx.db);
