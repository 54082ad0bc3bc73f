import { updateCompany } from '../../queries/companies.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/** Closes both environments to a company, from its next request on. Refuses with `unknown_company`. */
export function suspendCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.suspendedAt !== null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { suspendedAt: ctx.now });
    return { result: undefined, audit: { action: 'company.suspended', details: {} } };
  });
}
