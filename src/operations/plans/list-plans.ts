import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import { rejection } from '../../domain/errors.ts';
import * as queries from '../../queries/plans.ts';
import { declareList, declareShow } from '../declare.ts';
import { line } from '../fields.ts';

export const shownPlan = ({ id, name, postingLimit, apiEligible }: queries.PlanRow) => ({
  plan_id: id,
  name,
  limit: postingLimit,
  api_eligible: apiEligible,
});

/** Lists all plans by id. */
export const listPlans = (ctx: Context): Promise<queries.PlanRow[]> => queries.listPlans(ctx.db);

export const plans = declareList({
  command: 'plan list',
  title: 'List the plans',
  by: ['operator', 'administrator'],
  input: z.object({}),
  items: 'plans',
  columns: { plan_id: 'ID', name: 'Plan', limit: 'Jobs a month (-1: no limit)', api_eligible: 'Includes production' },
  read: async (ctx) => ({ items: await listPlans(ctx) }),
  shows: shownPlan,
});

export const planName = () => line(100).meta({ label: 'Plan', hint: 'Name of the plan.', example: 'Pro' });

export const showPlan = declareShow({
  command: 'plan show',
  title: 'Show a plan',
  by: ['operator', 'administrator'],
  input: z.object({ name: planName() }),
  read: (ctx, { name }) => planNamed(ctx.db, name),
  shows: shownPlan,
});

/** Throws `unknown_plan`. */
export async function planNamed(tx: Tx, name: string): Promise<queries.PlanRow> {
  const plan = await queries.findPlan(tx, name);
  if (!plan) throw rejection('unknown_plan', 'There is no plan of that name.', 'plan');
  return plan;
}
