import type { Day } from '../domain/dates.ts';
import { endSubscription, findPlan, type PlanRow, replaceSubscription, subscribedSince } from '../store/plans.ts';
import type { Tx } from '../store/transaction.ts';
import { type ActionContext, recordedFor } from './context.ts';
import { ActionError } from './errors.ts';

export interface SubscriptionChange {
  readonly companyId: bigint;
  /** A plan's name; null ends the subscription now. */
  readonly plan: string | null;
}

export interface Subscribed {
  readonly plan: string;
  /** The day that anchors the months in which postings are counted. */
  readonly startedOn: Day;
}

/**
 * Puts a company on a plan. A change of plan keeps the day on which the subscription in force began, so that the postings
 * of the current month stay counted; else it begins today. Refuses with `unknown_company` and `unknown_plan`.
 */
export function setSubscription(
  ctx: ActionContext,
  { companyId, plan: name }: SubscriptionChange,
): Promise<Subscribed | null> {
  return recordedFor(ctx, companyId, async (tx) => {
    const since = await subscribedSince(tx, companyId, ctx.now);
    if (name !== null) {
      const plan = await planNamed(tx, name);
      const startedOn = since ?? ctx.today;
      await replaceSubscription(tx, companyId, plan.id, startedOn);
      const details = { plan: plan.name, started_on: startedOn };
      return { result: { plan: plan.name, startedOn }, audit: { action: 'subscription.set', details } };
    }
    if (since !== undefined) await endSubscription(tx, companyId, ctx.now);
    return { result: null, audit: since === undefined ? null : { action: 'subscription.ended', details: {} } };
  });
}

/** Refuses with `unknown_plan`. */
export async function planNamed(tx: Tx, name: string): Promise<PlanRow> {
  const plan = await findPlan(tx, name);
  if (!plan) throw new ActionError('unknown_plan', 'There is no plan of that name.', 'plan');
  return plan;
}
