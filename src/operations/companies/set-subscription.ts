import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import { addDays, type Day, startOfDay } from '../../domain/dates.ts';
import { invalidInput, rejection } from '../../domain/errors.ts';
import { endSubscription, findPlan, type PlanRow, replaceSubscription, subscribedSince } from '../../queries/plans.ts';
import { dayOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';
import type { CompanyRef } from './change-company.ts';

interface SubscriptionChange extends CompanyRef {
  /** The name of a plan; null ends the subscription now. */
  readonly plan: string | null;
  /** The anchor of the monthly quota periods. If absent, it stays as it is, or is today. A new anchor restarts the count. */
  readonly startedOn?: Day | undefined;
  /** The last day, in the service's time zone; absent means no end. */
  readonly lastDay?: Day | undefined;
}

interface Subscribed {
  readonly plan: string;
  readonly startedOn: Day;
}

/**
 * Puts a company on a plan. A change of plan keeps the anchor of the subscription in force, so that this month's postings stay counted.
 * Throws `unknown_company`, `unknown_plan`, and `invalid_input` for a first day in the future or a last day in the past.
 */
export function setSubscription(
  ctx: Context,
  { companyId, plan: name, startedOn: given, lastDay }: SubscriptionChange,
): Promise<Subscribed | null> {
  if (given !== undefined && dayOf('startedOn', given) > ctx.today)
    throw invalidInput('startedOn', { kind: 'not_after', day: ctx.today });
  if (lastDay !== undefined && dayOf('lastDay', lastDay) < ctx.today)
    throw invalidInput('lastDay', { kind: 'not_before', day: ctx.today });
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

/** Throws `unknown_plan`. */
export async function planNamed(tx: Tx, name: string): Promise<PlanRow> {
  const plan = await findPlan(tx, name);
  if (!plan) throw rejection('unknown_plan', 'There is no plan of that name.', 'plan');
  return plan;
}
