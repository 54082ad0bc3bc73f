import type { Day } from '../../domain/dates.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { deleteGrant, findGrantInForce, type Grant, replaceGrant } from '../../queries/plans.ts';
import { dayOf, integerMax, wholeNumberOf } from '../check-input.ts';
import { invalidInput } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

export interface GrantRequest {
  readonly companyId: bigint;
  /** Postings a month; -1 means unlimited. */
  readonly monthlyLimit: number;
  /** The last day on which it holds; left out, it has no end. */
  readonly lastDay?: Day | undefined;
}

/**
 * Gives complimentary production access, in place of the grant that there was. One in force keeps the day on which it began,
 * so that a changed limit does not give the postings of this month back; else it begins today.
 * Refuses with `unknown_company`, and with `invalid_input` a limit below -1 or a last day that has passed.
 */
export function grantComplimentary(ctx: ActionContext, { companyId, ...request }: GrantRequest): Promise<Grant> {
  const monthlyLimit = wholeNumberOf('monthlyLimit', request.monthlyLimit, unlimited, integerMax);
  const expiresOn = request.lastDay === undefined ? null : dayOf('lastDay', request.lastDay);
  if (expiresOn !== null && expiresOn < ctx.today)
    throw invalidInput('lastDay', `must not be before today, ${ctx.today}`);
  return recordedFor(ctx, companyId, async (tx) => {
    const inForce = await findGrantInForce(tx, companyId, ctx.today);
    const grant = { monthlyLimit, startedOn: inForce?.startedOn ?? ctx.today, expiresOn };
    await replaceGrant(tx, companyId, grant);
    const details = { monthly_limit: monthlyLimit, started_on: grant.startedOn, until: expiresOn };
    return { result: grant, audit: { action: 'grant.given', details } };
  });
}

/** Takes complimentary access away at once; without any, nothing changes. Refuses with `unknown_company`. */
export function endComplimentary(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx) => {
    const inForce = await findGrantInForce(tx, companyId, ctx.today);
    await deleteGrant(tx, companyId);
    return { result: undefined, audit: inForce ? { action: 'grant.ended', details: {} } : null };
  });
}
