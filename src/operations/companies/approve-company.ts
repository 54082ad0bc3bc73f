import { updateCompany } from '../../queries/companies.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/** Approves a company for production; the first approval's time stands. Refuses with `unknown_company`. */
export function approveCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.productionApprovedAt !== null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { productionApprovedAt: ctx.now });
    return { result: undefined, audit: { action: 'company.approved', details: {} } };
  });
}
