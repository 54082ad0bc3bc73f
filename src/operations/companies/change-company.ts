import type { Context } from '../../context.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { nothingToChange } from '../../domain/errors.ts';
import { type CompanyRecord, updateCompany } from '../../queries/companies.ts';
import { recordedFor } from '../recorded.ts';

/** Which company an operation is about. */
export interface CompanyRef {
  readonly companyId: bigint;
}

interface CompanyFlags {
  readonly verified: boolean;
  readonly autoPublish: boolean;
}

/** Approves a company for production. A second approval keeps the time of the first. Throws `unknown_company`. */
export const approveCompany = (ctx: Context, company: CompanyRef): Promise<void> =>
  changeOnce(ctx, company, 'company.approved', ({ productionApprovedAt }) =>
    productionApprovedAt === null ? { productionApprovedAt: ctx.now } : undefined,
  );

/** Closes both environments to a company from its next request. Throws `unknown_company`. */
export const suspendCompany = (ctx: Context, company: CompanyRef): Promise<void> =>
  changeOnce(ctx, company, 'company.suspended', ({ suspendedAt }) =>
    suspendedAt === null ? { suspendedAt: ctx.now } : undefined,
  );

/** Ends the suspension of a company. Throws `unknown_company`. */
export const reinstateCompany = (ctx: Context, company: CompanyRef): Promise<void> =>
  changeOnce(ctx, company, 'company.reinstated', ({ suspendedAt }) =>
    suspendedAt === null ? undefined : { suspendedAt: null },
  );

/** Writes what `changeOf` returns; undefined means that nothing changes. */
function changeOnce(
  ctx: Context,
  { companyId }: CompanyRef,
  action: AuditAction,
  changeOf: (company: CompanyRecord) => Partial<CompanyRecord> | undefined,
): Promise<void> {
  return recordedFor(ctx, companyId, async (tx, company) => {
    const change = changeOf(company);
    if (change) await updateCompany(tx, companyId, change);
    return { result: undefined, audit: change ? { action, details: {} } : null };
  });
}

/** Changes the given flags only. Throws `unknown_company`, and `invalid_input` if none is given. */
export function changeCompany(
  ctx: Context,
  { companyId, verified, autoPublish }: CompanyRef & { [Flag in keyof CompanyFlags]?: boolean | undefined },
): Promise<CompanyFlags> {
  if (verified === undefined && autoPublish === undefined) throw nothingToChange();
  return recordedFor(ctx, companyId, async (tx, company) => {
    const after = { verified: verified ?? company.verified, autoPublish: autoPublish ?? company.autoPublish };
    await updateCompany(tx, companyId, after);
    const details = { verified: after.verified, auto_publish: after.autoPublish };
    return { result: after, audit: { action: 'company.changed', details } };
  });
}
