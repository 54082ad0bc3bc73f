import type { Tx } from '../../database/transaction.ts';
import { addDays, type Day, startOfDay } from '../../domain/dates.ts';
import { endSubscription, findPlan, type PlanRow, replaceSubscription, subscribedSince } from '../../queries/plans.ts';
import { dayOf } from '../check-input.ts';
import { ActionError, invalidInput } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

export interface SubscriptionChange {
  readonly companyId: bigint;
  /** A plan's name; null ends the subscription now. */
  readonly plan: string | null;
  /** Anchors the months in which postings are counted; left out, what it was or today. Another day begins another count. */
  readonly startedOn?: Day | undefined;
  /** The last day on which it holds, in the service's time zone; left out, it has no end. */
  readonly lastDay?: Day | undefined;
}

export interface Subscribed {
  readonly plan: string;
  readonly startedOn: Day;
}

/**
 * Puts a company on a plan. A change of plan keeps the day on which the subscription in force began, so that the postings
 * of the current month stay counted; else it begins today. Refuses with `unknown_company`, `unknown_plan`, and with
 * `invalid_input` a first day that is to come or a last day that has passed.
 */
export function setSubscription(
  ctx: ActionContext,
  { companyId, plan: name, startedOn: given, lastDay }: SubscriptionChange,
): Promise<Subscribed | null> {
  if (given !== undefined && dayOf('startedOn', given) > ctx.today)
    throw invalidInput('startedOn', `must not be after today, ${ctx.today}`);
  if (lastDay !== undefined && dayOf('lastDay', lastDay) < ctx.today)
    throw invalidInput('lastDay', `must not be before today, ${ctx.today}`);
  const endsAt = lastDay === undefined ? null : startOfDay(ctx.timeZone, addDays(lastDay, 1));
  return recordedFor(ctx, companyId, async (tx) => {
    const since = await subscribedSince(tx, companyId, ctx.now);
    if (name !== null) {
      const plan = await planNamed(tx, name);
      const startedOn = given ?? since ?? ctx.today;
      await replaceSubscription(tx, companyId, { planId: plan.id, startedOn, endsAt });
      const details = { plan: plan.name, started_on: startedOn, until: lastDay ?? null };
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
