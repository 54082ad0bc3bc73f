import * as z from 'zod';
import { invalidField, nothingToChange } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { flag, line } from '../../kit/fields.ts';
import { ifChanged, recorded } from '../../kit/recorded.ts';
import * as queries from '../plans-sql.ts';
import { jobsPerMonth, withLimit } from './list-plans.ts';

const doneTexts = {
  changed: 'The plan {{name}} is changed. Its subscribers have it from now on.',
  created: 'The plan {{name}} is created.',
};

/** Changes the given properties of a plan with immediate effect, or creates a plan, which must have a limit. Throws `invalid_input`. */
export const setPlan = declare({
  command: 'plan set',
  title: 'Change or create a plan',
  label: 'Save plan',
  by: ['operator', 'administrator'],
  records: 'plan.set',
  input: z.object({
    name: line(100).meta({ label: 'Name', hint: 'The name of an existing plan changes that plan.', example: 'Pro' }),
    limit: jobsPerMonth().optional(),
    apiEligible: flag().optional().meta({ label: 'Includes production access' }),
  }),
  run: (ctx, { name, limit, apiEligible }) => {
    if (limit === undefined && apiEligible === undefined) throw nothingToChange();
    return recorded(ctx, async (tx) => {
      await queries.lockPlans(tx);
      const known = await queries.findPlan(tx, name);
      if (!known && limit === undefined) throw invalidField('limit', 'must be given for a new plan');
      const columns = {
        postingLimit: limit ?? known?.postingLimit ?? 0,
        apiEligible: apiEligible ?? known?.apiEligible ?? false,
      };
      const plan = known
        ? await queries.updatePlan(tx, known.id, columns)
        : await queries.insertPlan(tx, { name, ...columns });
      const outcome = known ? ('changed' as const) : ('created' as const);
      const details = { plan_id: plan.id, posting_limit: plan.postingLimit, api_eligible: plan.apiEligible, outcome };
      return { result: { ...withLimit(plan), outcome }, audit: ifChanged(known, plan, { details }) };
    });
  },
  done: ({ outcome }) => doneTexts[outcome],
});
