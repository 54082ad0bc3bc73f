import * as z from 'zod';
import type { Context } from '../../../context.ts';
import {
  type AccessBlocker,
  type AccessFacts,
  accessBlockersOf,
  accessTypeOf,
  type Entitlement,
  entitlementOf,
} from '../../../domain/eligibility.ts';
import type { Environment } from '../../../domain/environment.ts';
import { unknownCompany } from '../../../domain/errors.ts';
import { declareShow } from '../../kit/declare.ts';
import { companyId, environment } from '../../kit/fields.ts';
import { countJobs, findCompany, listAllowedDistricts } from '../companies-sql.ts';
import { factsOf } from '../company-access.ts';
import { readUsage } from '../usage-sql.ts';

/** Whether an environment is open to a company's credentials: if open, their entitlement; if closed, everything that blocks access. */
export type EnvironmentAccess =
  | { readonly kind: 'open'; readonly entitlement: Entitlement; readonly used: number }
  | { readonly kind: 'closed'; readonly blockers: readonly AccessBlocker[]; readonly requestedAt: Date | null };

/** Returns one company with its plan, grant, districts, access, usage and job counts. Throws `unknown_company`. */
export const showCompany = declareShow({
  command: 'company show',
  title: 'Show a company with its plan, its access and its number of jobs',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId() }),
  read: async (ctx, { companyId }) => {
    const found = await findCompany(ctx.db, companyId);
    if (!found) throw unknownCompany(companyId);
    const { subscription, grant, ...company } = found;
    const facts = factsOf(found, ctx);
    return {
      ...company,
      subscription: subscription && { ...subscription, inForce: facts.plan !== null },
      grant: grant && { ...grant, inForce: facts.grant !== null },
      accessType: accessTypeOf(facts, ctx.today),
      access: {
        sandbox: await accessTo(ctx, companyId, 'sandbox', facts, null),
        production: await accessTo(ctx, companyId, 'production', facts, company.productionRequestedAt),
      },
      districts: await listAllowedDistricts(ctx.db, companyId),
      jobs: await countJobs(ctx.db, companyId, ctx.today),
    };
  },
  shows: ({ id, name, subscription, grant, access, districts, jobs, ...company }) => ({
    company_id: id,
    name,
    verified: company.verified,
    suspended: company.suspendedAt !== null,
    production_approved: company.productionApprovedAt !== null,
    production_requested_at: company.productionRequestedAt,
    auto_publish: company.autoPublish,
    plan: subscription?.inForce ? subscription.plan.name : null,
    grant_limit: grant?.inForce ? grant.monthlyLimit : null,
    grant_until: grant?.inForce ? grant.expiresOn : null,
    district_ids: districts.map((district) => district.id),
    sandbox: shownAccess(access.sandbox),
    production: shownAccess(access.production),
    jobs: jobs.map(({ environment, status, jobs }) => ({ environment, status, jobs })),
    created_at: company.createdAt,
  }),
});

/** Returns a company's access to one environment. Throws `unknown_company`. */
export const showAccess = declareShow({
  command: 'company access',
  title: 'Show whether an environment is open to a company',
  by: ['operator', 'administrator', 'person'],
  input: z.object({ companyId: companyId(), environment: environment() }),
  read: async (ctx, { companyId, environment }) => {
    const company = await findCompany(ctx.db, companyId);
    if (!company) throw unknownCompany(companyId);
    return accessTo(ctx, companyId, environment, factsOf(company, ctx), company.productionRequestedAt);
  },
  shows: (access) => shownAccess(access),
});

const shownAccess = (access: EnvironmentAccess) =>
  access.kind === 'open'
    ? { open: true, limit: access.entitlement.limit, used: access.used }
    : { open: false, blockers: access.blockers };

async function accessTo(
  ctx: Context,
  companyId: bigint,
  environment: Environment,
  facts: AccessFacts,
  requestedAt: Date | null,
): Promise<EnvironmentAccess> {
  const blockers = accessBlockersOf(environment, facts);
  if (blockers.length > 0) return { kind: 'closed', blockers, requestedAt };
  const entitlement = entitlementOf(environment, facts, ctx.today);
  return { kind: 'open', entitlement, used: await readUsage(ctx.db, companyId, entitlement) };
}
