import * as z from 'zod';
import { addDays } from '../../../domain/dates.ts';
import { invalidField } from '../../../domain/errors.ts';
import { declare } from '../../kit/declare.ts';
import { companyId, day, reason } from '../../kit/fields.ts';
import { type Held, ifChanged, recordedFor } from '../../kit/recorded.ts';
import { jobsPerMonth } from '../../plans/people/list-plans.ts';
import { endGrant, findFirstDayOfGrant, findGrantInForce, replaceGrant } from '../subscriptions-sql.ts';
import { keepUsage } from '../usage-sql.ts';
import { decision, ofCompany } from './change-company.ts';

/**
 * Grants complimentary production access, replacing any earlier grant. Keeps the first day of a grant in force. The current period's postings
 * stay counted, even if the earlier grant has ended. Throws `unknown_company`, and `invalid_input` for a limit below -1 or a last day in the
 * past.
 */
export const grantComplimentary = declare({
  command: 'company grant',
  title: 'Grant complimentary access',
  by: ['operator', 'administrator'],
  records: 'grant.given',
  input: z.object({
    companyId: companyId(),
    limit: jobsPerMonth(),
    until: day().optional().meta({ label: 'Last day', hint: 'Without a date it does not end.', example: '2027-06-30' }),
  }),
  subject: async (ctx, ref) => {
    const { name } = await ofCompany(ctx, ref);
    const inForce = await findGrantInForce(ctx.db, ref.companyId, ctx.today);
    return { name, values: { limit: inForce?.monthlyLimit, until: inForce?.expiresOn } };
  },
  run: (ctx, { companyId, limit, until }) => {
    const expiresOn = until ?? null;
    if (expiresOn !== null && expiresOn < ctx.today)
      throw invalidField('until', 'must not be before today, {{today}}', { today: ctx.today });
    return recordedFor(ctx, companyId, async (tx) => {
      const inForce = await findGrantInForce(tx, companyId, ctx.today);
      const grant = { monthlyLimit: limit, startedOn: inForce?.startedOn ?? ctx.today, expiresOn };
      const from = await findFirstDayOfGrant(tx, companyId);
      await keepUsage(tx, companyId, 'complimentary', { from, to: grant.startedOn, today: ctx.today });
      await replaceGrant(tx, companyId, grant);
      const details = { monthly_limit: limit, started_on: grant.startedOn, until: expiresOn };
      return ifChanged(inForce, grant, { result: grant, audit: { details } });
    });
  },
  done: ({ expiresOn }) =>
    expiresOn === null
      ? 'Company {{company_id}} has complimentary access from {{started_on}}. Jobs per month: {{limit}}.'
      : 'Company {{company_id}} has complimentary access from {{started_on}}, last day: {{until}}. Jobs per month: {{limit}}.',
  shows: ({ monthlyLimit, startedOn, expiresOn }, input) => ({
    company_id: input.companyId,
    limit: monthlyLimit,
    started_on: startedOn,
    until: expiresOn,
  }),
});

const ungranted: Held = {
  text: 'Company {{company_id}} has no complimentary access.',
  by: ['grant.ended'],
  unless: ['grant.given'],
};

/** Ends complimentary access immediately; does nothing without a grant. Throws `unknown_company`. */
export const endComplimentary = declare({
  command: 'company end-grant',
  title: 'End complimentary access',
  by: ['operator', 'administrator'],
  records: 'grant.ended',
  dangerous: 'Complimentary access ends now.',
  input: z.object({ companyId: companyId(), reason: reason().optional() }),
  done: 'Company {{company_id}} has no complimentary access any more.',
  ...decision({
    result: { limit: null },
    heldBy: async (_, { tx, today, companyId }) =>
      (await findGrantInForce(tx, companyId, today)) ? undefined : ungranted,
    change: ({ tx, today, companyId }) => endGrant(tx, companyId, addDays(today, -1)),
  }),
});
