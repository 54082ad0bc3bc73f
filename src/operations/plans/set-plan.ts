import type { Context } from '../../context.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { invalidInput, nothingToChange } from '../../domain/errors.ts';
import * as queries from '../../queries/plans.ts';
import { integerMax, lineOf, wholeNumberOf } from '../check-input.ts';
import { recorded } from '../recorded.ts';

interface PlanChange {
  /** Matched without regard to case. */
  readonly name: string;
  /** Postings per month; -1 means unlimited. */
  readonly postingLimit?: number | undefined;
  /** Whether the plan includes production access; false for a new plan if absent. */
  readonly apiEligible?: boolean | undefined;
}

/** Changes the given properties of a plan, effective immediately, or creates a plan, which needs a limit. Throws `invalid_input`. */
export function setPlan(ctx: Context, { postingLimit, apiEligible, ...named }: PlanChange): Promise<queries.PlanRow> {
  const name = lineOf('name', named.name, 100);
  if (postingLimit !== undefined) wholeNumberOf('postingLimit', postingLimit, unlimited, integerMax);
  if (postingLimit === undefined && apiEligible === undefined) throw nothingToChange();
  return recorded(ctx, async (tx) => {
    await queries.lockPlans(tx);
    const known = await queries.findPlan(tx, name);
    if (!known && postingLimit === undefined) throw invalidInput('postingLimit', { kind: 'needed_for_new_plan' });
    const columns = {
      postingLimit: postingLimit ?? known?.postingLimit ?? 0,
      apiEligible: apiEligible ?? known?.apiEligible ?? false,
    };
    const plan = known
      ? await queries.updatePlan(tx, known.id, columns)
      : await queries.insertPlan(tx, { name, ...columns });
    const details = { plan_id: plan.id, posting_limit: plan.postingLimit, api_eligible: plan.apiEligible };
    return { result: plan, audit: { action: 'plan.set', details } };
  });
}

/** Lists all plans by id. */
export const listPlans = (ctx: Context): Promise<queries.PlanRow[]> => queries.listPlans(ctx.db);
