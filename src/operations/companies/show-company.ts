import type { Context } from '../../context.ts';
import {
  type AccessBlocker,
  type AccessFacts,
  accessBlockersOf,
  type Entitlement,
  entitlementOf,
  isGranted,
  isSubscribed,
} from '../../domain/eligibility.ts';
import type { Environment } from '../../domain/environment.ts';
import { unknownCompany } from '../../domain/errors.ts';
import { countJobs, findCompany } from '../../queries/companies.ts';
import { readUsage } from '../../queries/usage.ts';
import type { CompanyRef } from './change-company.ts';

/** Whether an environment is open to a company's credentials: the entitlement it uses, or everything that keeps it closed. */
export type EnvironmentAccess =
  | { readonly kind: 'open'; readonly entitlement: Entitlement; readonly used: number }
  | { readonly kind: 'closed'; readonly blockers: readonly AccessBlocker[] };

/** Returns one company with its plan, grant, districts, access, usage and job counts. Throws `unknown_company`. */
export async function showCompany(ctx: Context, { companyId }: CompanyRef) {
  const [company, jobs] = await Promise.all([findCompany(ctx.db, companyId), countJobs(ctx.db, companyId, ctx.today)]);
  if (!company) throw unknownCompany(companyId);
  const { subscription, grant, ...rest } = company;
  const subscribed = subscription !== null && isSubscribed(subscription.endsAt, ctx.now);
  const granted = grant !== null && isGranted(grant.expiresOn, ctx.today);
  const facts: AccessFacts = {
    verified: company.verified,
    suspended: company.suspendedAt !== null,
    approved: company.productionApprovedAt !== null,
    plan: subscribed ? { ...subscription.plan, startedOn: subscription.startedOn } : null,
    grant: granted ? grant : null,
  };
  const [sandbox, production] = await Promise.all([
    accessTo(ctx, companyId, 'sandbox', facts),
    accessTo(ctx, companyId, 'production', facts),
  ]);
  return {
    ...rest,
    subscription: subscription && { ...subscription, inForce: subscribed },
    grant: grant && { ...grant, inForce: granted },
    access: { sandbox, production },
    jobs,
  };
}

async function accessTo(
  ctx: Context,
  companyId: bigint,
  environment: Environment,
  facts: AccessFacts,
): Promise<EnvironmentAccess> {
  const blockers = accessBlockersOf(environment, facts);
  if (blockers.length > 0) return { kind: 'closed', blockers };
  const entitlement = entitlementOf(environment, facts, ctx.today);
  return { kind: 'open', entitlement, used: await readUsage(ctx.db, companyId, entitlement) };
}
