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
import { findLatest, type RecordedEntry } from '../../kit/recorded-sql.ts';
import { countJobs, findCompany, listAllowedDistricts } from '../companies-sql.ts';
import { factsOf, type StoredCompany } from '../company-access.ts';
import { readUsage } from '../usage-sql.ts';

/** Whether an environment is open to a company's credentials: if open, their entitlement; if closed, everything that blocks access. */
export type EnvironmentAccess =
  | { readonly kind: 'open'; readonly entitlement: Entitlement; readonly used: number }
  | ({ readonly kind: 'closed'; readonly blockers: readonly AccessBlocker[] } & ProductionRequest);

/** A company's request for production: when it was made, or how it was refused. Both are null if nothing is asked. */
interface ProductionRequest {
  readonly requestedAt: Date | null;
  readonly refused: Pick<RecordedEntry, 'at' | 'reason'> | null;
}

const noRequest: ProductionRequest = { requestedAt: null, refused: null };
const answers = ['company.production_requested', 'company.production_refused', 'company.approved'] as const;

/** A company that has not asked since it was refused still has that answer. */
async function requestOf({ db }: Context, company: StoredCompany): Promise<ProductionRequest> {
  const { id, productionRequestedAt: requestedAt, productionApprovedAt } = company;
  if (requestedAt || productionApprovedAt) return { requestedAt, refused: null };
  const latest = await findLatest(db, id, answers);
  return {
    requestedAt,
    refused: latest?.action === 'company.production_refused' ? { at: latest.at, reason: latest.reason } : null,
  };
}

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
      accessType: accessTypeOf(facts, ctx),
      access: {
        sandbox: await accessTo(ctx, companyId, 'sandbox', facts, noRequest),
        production: await accessTo(ctx, companyId, 'production', facts, await requestOf(ctx, found)),
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
    const request = environment === 'production' ? await requestOf(ctx, company) : noRequest;
    return accessTo(ctx, companyId, environment, factsOf(company, ctx), request);
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
  request: ProductionRequest,
): Promise<EnvironmentAccess> {
  const blockers = accessBlockersOf(environment, facts);
  if (blockers.length > 0) return { kind: 'closed', blockers, ...request };
  const entitlement = entitlementOf(environment, facts, ctx);
  return { kind: 'open', entitlement, used: await readUsage(ctx.db, companyId, entitlement) };
}
