import {
  approveCompany,
  changeCompany,
  reinstateCompany,
  suspendCompany,
} from '../../../operations/companies/change-company.ts';
import { endComplimentary, grantComplimentary } from '../../../operations/companies/grant-complimentary.ts';
import { setDistricts } from '../../../operations/companies/set-districts.ts';
import { endSubscription, setSubscription } from '../../../operations/companies/set-subscription.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { type FieldNames, tryOperation } from '../../form.ts';
import { type AdminContext, type PageAnswer, redirect } from '../../page.ts';
import { idIn } from '../../params.ts';
import { companyPath } from '../paths.ts';
import { companyPage } from './company-page.tsx';

type CompanyOperation = (ctx: AdminContext, company: { readonly companyId: bigint }) => Promise<unknown>;

const noticeLabels = {
  approved: 'The company is approved for production.',
  suspended: 'The company is suspended in both environments.',
  reinstated: 'The company is reinstated.',
  verified: 'The company is verified.',
  unverified: 'The verification is removed.',
  autoPublish: 'New jobs are published without review.',
  reviewJobs: 'New jobs wait for review.',
  planSet: 'The plan is set.',
  granted: 'Complimentary access is granted.',
  grantEnded: 'Complimentary access has ended.',
  regionsSaved: 'The regions are saved.',
  revoked: 'The credential is revoked.',
};

/** Runs an operation on the company in the path and returns to its page; a refusal is shown there, beside its field. */
const action =
  (notice: keyof typeof noticeLabels, operation: CompanyOperation, fields: FieldNames = {}) =>
  async (ctx: AdminContext): Promise<PageAnswer> => {
    const companyId = idIn(ctx.params, 'company');
    const { errors } = await tryOperation(ctx, () => operation(ctx, { companyId }), fields);
    return errors ? companyPage(ctx, errors) : redirect(companyPath(companyId), ctx.t(noticeLabels[notice]));
  };

export const approve = action('approved', approveCompany);

export const suspend = action('suspended', suspendCompany);

export const reinstate = action('reinstated', reinstateCompany);

export const verify = action('verified', (ctx, company) => changeCompany(ctx, { ...company, verified: true }));

export const unverify = action('unverified', (ctx, company) => changeCompany(ctx, { ...company, verified: false }));

export const autoPublish = action('autoPublish', (ctx, company) =>
  changeCompany(ctx, { ...company, autoPublish: true }),
);

export const reviewJobs = action('reviewJobs', (ctx, company) =>
  changeCompany(ctx, { ...company, autoPublish: false }),
);

export const setPlan = action(
  'planSet',
  async (ctx, company) => {
    const plan = ctx.form.text('plan');
    if (plan === '') return endSubscription(ctx, company);
    const [startedOn, until] = [ctx.form.text('planStart') || undefined, ctx.form.text('planEnd') || undefined];
    return setSubscription(ctx, { ...company, plan, startedOn, until });
  },
  { plan: 'plan', startedOn: 'planStart', until: 'planEnd' },
);

export const grant = action(
  'granted',
  (ctx, company) =>
    grantComplimentary(ctx, {
      ...company,
      limit: ctx.form.wholeNumber('monthlyLimit'),
      until: ctx.form.text('grantEnd') || undefined,
    }),
  { limit: 'monthlyLimit', until: 'grantEnd' },
);

export const endGrant = action('grantEnded', endComplimentary);

/** Limits the company to the checked regions; with none checked it may publish in all. */
export const limitRegions = action(
  'regionsSaved',
  (ctx, company) => setDistricts(ctx, { ...company, districts: ctx.form.all('district').map(Number) }),
  { districts: 'district' },
);

export const revoke = action('revoked', (ctx, company) =>
  revokeCredential(ctx, { ...company, credentialId: idIn(ctx.params, 'credential') }),
);
