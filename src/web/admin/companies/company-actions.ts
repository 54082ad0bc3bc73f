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
import type { ActionContext } from '../../../operations/recorded.ts';
import { type PageAnswer, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import { type FieldNames, refusedFields } from '../../refused-fields.ts';
import type { AdminContext } from '../context.ts';
import { companyPath } from './company.ts';
import { showCompanyPage } from './company-page.tsx';

interface CompanyAction {
  readonly run: (ctx: ActionContext, company: { readonly companyId: bigint }) => Promise<unknown>;
  readonly notice: string;
}

/** Acts that need nothing but the company, by the last step of their path. */
const companyActions: Readonly<Record<string, CompanyAction>> = {
  approve: { run: approveCompany, notice: 'The company is approved for production.' },
  suspend: { run: suspendCompany, notice: 'The company is suspended: both environments are closed to it.' },
  reinstate: { run: reinstateCompany, notice: 'The suspension has ended.' },
  verify: { run: (ctx, it) => changeCompany(ctx, { ...it, verified: true }), notice: 'The company is verified.' },
  unverify: { run: (ctx, it) => changeCompany(ctx, { ...it, verified: false }), notice: 'The company is unverified.' },
  'auto-publish': {
    run: (ctx, it) => changeCompany(ctx, { ...it, autoPublish: true }),
    notice: 'Its jobs are published without review.',
  },
  'review-jobs': {
    run: (ctx, it) => changeCompany(ctx, { ...it, autoPublish: false }),
    notice: 'Its jobs wait for review.',
  },
  'end-grant': { run: endComplimentary, notice: 'Complimentary access has ended.' },
};

export const companyActionRoutes = Object.entries(companyActions).map(([name, { run, notice }]) => ({
  method: 'post' as const,
  path: `/companies/:company/${name}`,
  run: (ctx: AdminContext) => acted(ctx, notice, {}, (company) => run(ctx, company)),
}));

export const grant = (ctx: AdminContext): Promise<PageAnswer> =>
  acted(ctx, 'Complimentary access is granted.', { monthlyLimit: 'monthlyLimit', lastDay: 'grantEnd' }, (company) =>
    grantComplimentary(ctx, {
      ...company,
      monthlyLimit: ctx.form.wholeNumber('monthlyLimit'),
      lastDay: ctx.form.text('grantEnd') || undefined,
    }),
  );

export const subscribe = (ctx: AdminContext): Promise<PageAnswer> =>
  acted(ctx, 'The plan is set.', { plan: 'plan', startedOn: 'planStart', lastDay: 'planEnd' }, (company) =>
    setSubscription(ctx, {
      ...company,
      plan: ctx.form.text('plan') || null,
      startedOn: ctx.form.text('planStart') || undefined,
      lastDay: ctx.form.text('planEnd') || undefined,
    }),
  );

/** Which regions are marked in the form; none means all. */
export const restrict = (ctx: AdminContext): Promise<PageAnswer> =>
  acted(ctx, 'The regions are set.', { districtIds: 'district' }, (company) =>
    setDistricts(ctx, { ...company, districtIds: ctx.form.all('district').map(Number) }),
  );

export const revoke = (ctx: AdminContext): Promise<PageAnswer> =>
  acted(ctx, 'The credential is revoked.', {}, (company) =>
    revokeCredential(ctx, { ...company, credentialId: idIn(ctx.params, 'credential') }),
  );

/** Acts, and goes back to the company's page; what is refused is shown there, beside its field. */
async function acted(
  ctx: AdminContext,
  notice: string,
  fields: FieldNames,
  act: (company: { readonly companyId: bigint }) => Promise<unknown>,
): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  try {
    await act({ companyId });
  } catch (error) {
    return showCompanyPage(ctx, refusedFields(error, fields));
  }
  return redirect(companyPath(companyId), notice);
}
