import { updateCompany } from '../../queries/companies.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

/** Ends the suspension of a company. Refuses with `unknown_company`. */
export function reinstateCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.suspendedAt === null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { suspendedAt: null });
    return { result: undefined, audit: { action: 'company.reinstated', details: {} } };
  });
}
