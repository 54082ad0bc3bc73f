import * as z from 'zod';
import type { Tx } from '../../../database/transaction.ts';
import { rejection } from '../../../domain/errors.ts';
import { type ChoicesOf, declareList } from '../../kit/declare.ts';
import { limit, line } from '../../kit/fields.ts';
import * as queries from '../plans-sql.ts';

export const jobsPerMonth = () => limit().meta({ label: 'Jobs per month' });

/** Renames a plan's `postingLimit` to `limit`, like the input field. */
export const withLimit = ({ postingLimit, ...plan }: queries.PlanRow) => ({ ...plan, limit: postingLimit });

export const listPlans = declareList({
  command: 'plan list',
  title: 'List the plans',
  by: ['operator', 'administrator'],
  input: z.object({}),
  items: 'plans',
  columns: { id: 'ID', name: 'Plan', limit: 'Jobs per month', apiEligible: 'Includes production' },
  read: async (ctx) => ({ items: (await queries.listPlans(ctx.db)).map(withLimit) }),
});

export const planChoices: ChoicesOf = async ({ db }) => (await queries.listPlans(db)).map(({ name }) => [name, name]);

export const planName = () => line(100).meta({ label: 'Plan', placeholder: 'name', example: 'Pro' });

/** Finds a plan by name, ignoring case. Throws `unknown_plan`. */
export async function planNamed(tx: Tx, name: string): Promise<queries.PlanRow> {
  const plan = await queries.findPlan(tx, name);
  if (!plan) throw rejection('unknown_plan', 'There is no plan of that name.', 'plan');
  return plan;
}
