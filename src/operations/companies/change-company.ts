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
