import type { Context } from '../../context.ts';
import type { Day } from '../../domain/dates.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { invalidInput } from '../../domain/errors.ts';
import { deleteGrant, findGrantInForce, type Grant, replaceGrant } from '../../queries/plans.ts';
import { dayOf, integerMax, wholeNumberOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';
import type { CompanyRef } from './change-company.ts';

interface GrantRequest extends CompanyRef {
  /** Postings per month; -1 means unlimited. */
  readonly monthlyLimit: number;
  /** The last day of the grant; absent means no end. */
  readonly lastDay?: Day | undefined;
}

/**
 * Grants complimentary production access, replacing any earlier grant. A grant in force keeps its first day, so that a new limit does not
 * reset this month's postings. Throws `unknown_company`, and `invalid_input` for a limit below -1 or a last day in the past.
 */
export function grantComplimentary(ctx: Context, { companyId, ...request }: GrantRequest): Promise<Grant> {
  const monthlyLimit = wholeNumberOf('monthlyLimit', request.monthlyLimit, unlimited, integerMax);
  const expiresOn = request.lastDay === undefined ? null : dayOf('lastDay', request.lastDay);
  if (expiresOn !== null && expiresOn < ctx.today)
    throw invalidInput('lastDay', { kind: 'not_before', day: ctx.today });
  return recordedFor(ctx, companyId, async (tx) => {
    const inForce = await findGrantInForce(tx, companyId, ctx.today);
    const grant = { monthlyLimit, startedOn: inForce?.startedOn ?? ctx.today, expiresOn };
    await replaceGrant(tx, companyId, grant);
    const details = { monthly_limit: monthlyLimit, started_on: grant.startedOn, until: expiresOn };
    return { result: grant, audit: { action: 'grant.given', details } };
  });
}

/** Ends complimentary access immediately; does nothing without a grant. Throws `unknown_company`. */
export function endComplimentary(ctx: Context, { companyId }: CompanyRef): Promise<void> {
  return recordedFor(ctx, companyId, async (tx) => {
    const inForce = await findGrantInForce(tx, companyId, ctx.today);
    await deleteGrant(tx, companyId);
    return { result: undefined, audit: inForce ? { action: 'grant.ended', details: {} } : null };
  });
}
