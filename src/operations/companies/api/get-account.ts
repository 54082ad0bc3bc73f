import type { ApiContext } from '../../../context.ts';
import type { Reply } from '../../../contract/types.ts';
import { remaining } from '../../../domain/eligibility.ts';
import { readUsage } from '../usage-sql.ts';

/** Returns the company's plan and its posting quota in the credential's environment. */
export async function getAccount(ctx: ApiContext): Promise<Reply<'getAccount'>> {
  const { tenant, planName, entitlement } = ctx.actor;
  const used = await readUsage(ctx.db, tenant.companyId, entitlement);
  return {
    status: 200,
    body: {
      data: {
        company_id: Number(tenant.companyId),
        plan: planName,
        requests_per_minute: ctx.requestsPerMinute,
        jobs: {
          limit: entitlement.limit,
          used,
          remaining: remaining(entitlement.limit, used),
          period_start: entitlement.period?.start ?? null,
          period_end: entitlement.period?.end ?? null,
        },
        access_type: entitlement.accessType,
      },
    },
  };
}
