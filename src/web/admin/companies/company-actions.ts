import {
  approveCompany,
  changeCompany,
  reinstateCompany,
  suspendCompany,
} from '../../../operations/companies/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../../operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../../operations/companies/set-districts.ts';
import { setSubscription } from '../../../operations/companies/set-subscription.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { type FieldNames, tryOperation } from '../../form.ts';
import { type AdminContext, type PageAnswer, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import { companyPath } from '../paths.ts';
import { companyPage } from './company-page.tsx';

type CompanyOperation = (ctx: AdminContext, company: { readonly companyId: bigint }) => Promise<unknown>;

/** Runs an operation on the company in the path and returns to its page; a refusal is shown there, beside its field. */
const action =
  (notice: string, operation: CompanyOperation, fields: FieldNames = {}) =>
  async (ctx: AdminContext): Promise<PageAnswer> => {
    const companyId = idIn(ctx.params, 'company');
    const { errors } = await tryOperation(() => operation(ctx, { companyId }), fields);
    return errors ? companyPage(ctx, errors) : redirect(companyPath(companyId), notice);
  };

export const approve = action('The company is approved for production.', approveCompany);

export const suspend = action('The company is suspended in both environments.', suspendCompany);

export const reinstate = action('The company is reinstated.', reinstateCompany);

export const verify = action('The company is verified.', (ctx, company) =>
  changeCompany(ctx, { ...company, verified: true }),
);

export const unverify = action('The verification is removed.', (ctx, company) =>
  changeCompany(ctx, { ...company, verified: false }),
);

export const autoPublish = action('New jobs are published without review.', (ctx, company) =>
  changeCompany(ctx, { ...company, autoPublish: true }),
);

export const reviewJobs = action('New jobs wait for review.', (ctx, company) =>
  changeCompany(ctx, { ...company, autoPublish: false }),
);

export const setPlan = action(
  'The plan is set.',
  (ctx, company) =>
    setSubscription(ctx, {
      ...company,
      plan: ctx.form.text('plan') || null,
      startedOn: ctx.form.text('planStart') || undefined,
      lastDay: ctx.form.text('planEnd') || undefined,
    }),
  { plan: 'plan', startedOn: 'planStart', lastDay: 'planEnd' },
);

export const grant = action(
  'Complimentary access is granted.',
  (ctx, company) =>
    grantComplimentary(ctx, {
      ...company,
      monthlyLimit: ctx.form.wholeNumber('monthlyLimit'),
      lastDay: ctx.form.text('grantEnd') || undefined,
    }),
  { monthlyLimit: 'monthlyLimit', lastDay: 'grantEnd' },
);

export const endGrant = action('Complimentary access has ended.', endComplimentary);

/** Limits the company to the checked regions; with none checked it may publish in all. */
export const limitRegions = action(
  'The regions are saved.',
  (ctx, company) => setDistricts(ctx, { ...company, districtIds: ctx.form.all('district').map(Number) }),
  { districtIds: 'district' },
);

export const revoke = action('The credential is revoked.', (ctx, company) =>
  revokeCredential(ctx, { ...company, credentialId: idIn(ctx.params, 'credential') }),
);
