import * as z from 'zod';
import type { Tx } from '../../../database/transaction.ts';
import { nothingToChange, rejection } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { flag, id, integerMax, line, staffReason } from '../../kit/fields.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';
import * as queries from '../plans-sql.ts';
import { jobsPerMonth, withLimit } from './list-plans.ts';

const by = ['operator', 'administrator'] as const;
const apiEligible = flag().optional().meta({ label: 'Includes production access' });

const detailsOf = ({ id, name, postingLimit, apiEligible }: queries.PlanRow) => ({
  plan_id: id,
  name,
  posting_limit: postingLimit,
  api_eligible: apiEligible,
});

/** Adds a plan. Throws `plan_exists` for the name of another plan, ignoring case. */
export const addPlan = declare({
  command: 'plan add',
  title: 'Add a plan',
  label: 'Add plan',
  by,
  records: 'plan.created',
  input: z.object({ name: line(100).meta({ label: 'Name', example: 'Pro' }), limit: jobsPerMonth(), apiEligible }),
  done: 'The plan {{name}} is created. Jobs per month: {{limit}}.',
  run: (ctx, { name, limit, apiEligible = false }) =>
    recorded(ctx, async (tx) => {
      await queries.lockPlans(tx);
      if (await queries.findPlan(tx, name))
        throw rejection(
          'plan_exists',
          'There is a plan of this name. Change that plan, or choose another name.',
          'name',
        );
      const plan = await queries.insertPlan(tx, { name, postingLimit: limit, apiEligible });
      return { result: withLimit(plan), audit: { details: detailsOf(plan) } };
    }),
});

/** Changes the given properties of a plan with immediate effect. Throws `invalid_input` and `unknown_plan`. */
export const changePlan = declare({
  command: 'plan change',
  title: 'Change a plan',
  label: 'Change',
  by,
  records: 'plan.set',
  dangerous:
    'The change applies to all subscribers of the plan from now on. Without production access, production refuses their requests.',
  input: z.object({
    planId: id().meta({ label: 'Plan', example: '1000' }),
    limit: jobsPerMonth().optional(),
    apiEligible,
    reason: staffReason().optional(),
  }),
  subject: async ({ db }, { planId }) => {
    const plan = withLimit(await planOf(db, planId));
    return { name: plan.name, values: plan };
  },
  done: 'The plan {{name}} is changed. Its subscribers have it from now on. Jobs per month: {{limit}}.',
  run: (ctx, { planId, limit, apiEligible }) => {
    if (limit === undefined && apiEligible === undefined) throw nothingToChange();
    return recorded(ctx, async (tx) => {
      await queries.lockPlans(tx);
      const before = await planOf(tx, planId);
      const plan = await queries.updatePlan(tx, before.id, {
        postingLimit: limit ?? before.postingLimit,
        apiEligible: apiEligible ?? before.apiEligible,
      });
      return ifChanged(before, plan, { result: withLimit(plan), audit: { details: detailsOf(plan) } });
    });
  },
});

/** Throws `unknown_plan`. */
async function planOf(tx: Tx, planId: bigint): Promise<queries.PlanRow> {
  const plan = planId <= integerMax ? await queries.readPlan(tx, Number(planId)) : null;
  if (!plan) throw rejection('unknown_plan', `There is no plan ${planId}.`, 'planId');
  return plan;
}
