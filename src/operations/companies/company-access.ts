import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import { type RequestTime, requestTimeAt } from '../../domain/dates.ts';
import { type AccessBlocker, type AccessFacts, accessBlockersOf, accessFactsOf } from '../../domain/eligibility.ts';
import { policy, type Tenant } from '../../domain/environment.ts';
import { environmentClosed, unknownCompany } from '../../domain/errors.ts';
import type { Subject } from '../kit/declare.ts';
import { findCompany } from './companies-sql.ts';

export type StoredCompany = NonNullable<Awaited<ReturnType<typeof findCompany>>>;

/** Returns the facts that decide a company's access at `time`. */
export function factsOf({ subscription, grant, ...company }: StoredCompany, time: RequestTime): AccessFacts {
  const plan = subscription && { ...subscription.plan, ...subscription };
  return accessFactsOf({ company: { ...company, approvedAt: company.productionApprovedAt }, plan, grant }, time);
}

/**
 * Returns everything that blocks a company's access to an environment now, and whether its jobs there are published without a review.
 * Throws `unknown_company`.
 */
export async function accessNow(ctx: Context, tx: Tx, { companyId, environment }: Tenant) {
  const company = await findCompany(tx, companyId);
  if (!company) throw unknownCompany(companyId);
  // The plan may have ended since the request began.
  const current = ctx.clock();
  const time = requestTimeAt(current > ctx.now ? current : ctx.now, ctx.timeZone);
  const { name, autoPublish } = company;
  const blockers = accessBlockersOf(environment, factsOf(company, time));
  return { name, autoPublish, publishes: autoPublish && policy[environment].publishes, blockers };
}

/** Why the company may not use the environment now, for the subject of a form. */
export const closedNow = async (ctx: Context, tenant: Tenant): Promise<Pick<Subject, 'refused'>> =>
  closedBy((await accessNow(ctx, ctx.db, tenant)).blockers);

export const closedBy = (blockers: readonly AccessBlocker[]): Pick<Subject, 'refused'> =>
  blockers.length > 0 ? { refused: environmentClosed(blockers) } : {};

/**
 * Returns a company that may use an environment now. If the transaction has locked the company, no other change can alter the result before
 * the transaction ends. Throws `unknown_company`, and `environment_closed` with everything that closes it.
 */
export async function requireAccess(ctx: Context, tx: Tx, tenant: Tenant) {
  const { blockers, ...company } = await accessNow(ctx, tx, tenant);
  if (blockers.length > 0) throw environmentClosed(blockers);
  return company;
}
