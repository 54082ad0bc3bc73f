import { updateCompany } from '../../queries/companies.ts';
import { nothingToChange } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

export interface CompanyChange {
  readonly companyId: bigint;
  readonly verified?: boolean | undefined;
  readonly autoPublish?: boolean | undefined;
}

export interface CompanyFlags {
  readonly verified: boolean;
  readonly autoPublish: boolean;
}

/** Changes what is given and leaves the rest. Refuses with `unknown_company`, and with `invalid_input` where nothing is given. */
export function changeCompany(ctx: ActionContext, { companyId, ...flags }: CompanyChange): Promise<CompanyFlags> {
  const { verified, autoPublish } = flags;
  if (verified === undefined && autoPublish === undefined) throw nothingToChange();
  return recordedFor(ctx, companyId, async (tx, company) => {
    const after = { verified: verified ?? company.verified, autoPublish: autoPublish ?? company.autoPublish };
    await updateCompany(tx, companyId, after);
    const details = { verified: after.verified, auto_publish: after.autoPublish };
    return { result: after, audit: { action: 'company.changed', details } };
  });
}

/** Approves a company for production; the first approval's time stands. Refuses with `unknown_company`. */
export function approveCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.productionApprovedAt !== null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { productionApprovedAt: ctx.now });
    return { result: undefined, audit: { action: 'company.approved', details: {} } };
  });
}

/** Closes both environments to a company, from its next request on. Refuses with `unknown_company`. */
export function suspendCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.suspendedAt !== null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { suspendedAt: ctx.now });
    return { result: undefined, audit: { action: 'company.suspended', details: {} } };
  });
}

/** Ends the suspension of a company. Refuses with `unknown_company`. */
export function reinstateCompany(ctx: ActionContext, { companyId }: { readonly companyId: bigint }): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    if (company.suspendedAt === null) return { result: undefined, audit: null };
    await updateCompany(tx, companyId, { suspendedAt: null });
    return { result: undefined, audit: { action: 'company.reinstated', details: {} } };
  });
}
