import * as z from 'zod';
import { addDays, lastDayBefore, startOfDay } from '../../../domain/dates.ts';
import { invalidFields } from '../../../domain/errors.ts';
import type { FieldError } from '../../../domain/message.ts';
import { declare } from '../../kit/declare.ts';
import { companyId, day, reason } from '../../kit/fields.ts';
import { type Held, ifChanged, recordedFor } from '../../kit/recorded.ts';
import { planChoices, planName, planNamed } from '../../plans/people/list-plans.ts';
import * as queries from '../subscriptions-sql.ts';
import { keepUsage } from '../usage-sql.ts';
import { decision, ofCompany } from './change-company.ts';

/** An earlier first day is a typing error, such as 1026 for 2026. */
const firstDayMin = '2000-01-01';

/**
 * Puts a company on a plan. Without `startedOn`, keeps the first day of the current subscription. The current period's postings stay counted,
 * even if the first day changes or the previous subscription has ended. Throws `unknown_company`, `unknown_plan`, and `invalid_input` for a
 * first day in the future or before 2000, or a last day in the past.
 */
export const setSubscription = declare({
  command: 'company subscribe',
  title: 'Put a company on a plan',
  label: 'Change plan',
  by: ['operator', 'administrator'],
  records: 'subscription.set',
  input: z.object({
    companyId: companyId(),
    plan: planName(),
    startedOn: day().optional().meta({
      label: 'First day',
      hint: 'Months count from this day. If empty, the current first day stays, or it is today.',
    }),
    until: day().optional().meta({ label: 'Last day', hint: 'Without a date it does not end.' }),
  }),
  choices: { plan: planChoices },
  subject: async (ctx, ref) => {
    const { name } = await ofCompany(ctx, ref);
    const current = await queries.findSubscriptionInForce(ctx.db, ref.companyId, ctx.now);
    const lastDay = current?.endsAt && lastDayBefore(ctx.timeZone, current.endsAt);
    return { name, values: { plan: current?.plan.name, startedOn: current?.startedOn, until: lastDay } };
  },
  run: (ctx, { companyId, plan: name, startedOn: given, until }) => {
    const { today, timeZone } = ctx;
    const wrong: FieldError[] = [];
    if (given !== undefined && given > today)
      wrong.push(['startedOn', { text: 'must not be after today, {{today}}', params: { today } }]);
    if (given !== undefined && given < firstDayMin)
      wrong.push(['startedOn', { text: 'must not be before {{day}}', params: { day: firstDayMin } }]);
    if (until !== undefined && until < today)
      wrong.push(['until', { text: 'must not be before today, {{today}}', params: { today } }]);
    if (wrong.length > 0) throw invalidFields(wrong);
    const endsAt = until === undefined ? null : startOfDay(timeZone, addDays(until, 1));
    return recordedFor(ctx, companyId, async (tx) => {
      const plan = await planNamed(tx, name);
      const current = await queries.findSubscriptionInForce(tx, companyId, ctx.now);
      const startedOn = given ?? current?.startedOn ?? today;
      const from = await queries.findFirstDay(tx, companyId);
      await keepUsage(tx, companyId, 'subscription', { from, to: startedOn, today });
      const after = { planId: plan.id, startedOn, endsAt };
      await queries.replaceSubscription(tx, companyId, after);
      const lastDay = until ?? null;
      const details = { plan: plan.name, started_on: startedOn, until: lastDay };
      const held = current && { planId: current.plan.id, startedOn: current.startedOn, endsAt: current.endsAt };
      const result = { plan: plan.name, startedOn, until: lastDay };
      return ifChanged(held, after, { result, audit: { details } });
    });
  },
  done: ({ until }) =>
    until === null
      ? 'Company {{company_id}} has the plan {{plan}}, counted from {{started_on}}.'
      : 'Company {{company_id}} has the plan {{plan}}, counted from {{started_on}}, last day: {{until}}.',
});

const clocksDifferMs = 5000;

const unsubscribed: Held = {
  text: 'Company {{company_id}} has no plan.',
  by: ['subscription.ended'],
  unless: ['subscription.set'],
};

/** Ends a company's subscription now; does nothing without one. Throws `unknown_company`. */
export const endSubscription = declare({
  command: 'company unsubscribe',
  title: "End a company's subscription",
  label: 'End plan',
  by: ['operator', 'administrator'],
  records: 'subscription.ended',
  dangerous: 'The subscription ends now.',
  input: z.object({ companyId: companyId(), reason: reason().optional() }),
  done: 'Company {{company_id}} has no plan any more.',
  ...decision({
    result: { plan: null },
    heldBy: async (_, { tx, now, companyId }) => {
      // A request that began later, or on a host whose clock is ahead, may just have ended the subscription at a time after `now`. That end
      // must not be changed.
      const soon = new Date(now.getTime() + clocksDifferMs);
      return (await queries.findSubscriptionInForce(tx, companyId, soon)) ? undefined : unsubscribed;
    },
    change: ({ tx, now, companyId }) => queries.endSubscription(tx, companyId, now),
  }),
});
