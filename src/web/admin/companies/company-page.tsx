import { listAllDistricts } from '../../../operations/companies/set-districts.ts';
import { showCompany } from '../../../operations/companies/show-company.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { listUsers } from '../../../operations/people/account.ts';
import { listPlans } from '../../../operations/plans/set-plan.ts';
import { type PageAnswer, page } from '../../page.ts';
import { idIn } from '../../params.ts';
import { type FieldErrors, FormErrors } from '../../parts/field.tsx';
import type { AdminContext } from '../context.ts';
import { JobCounts } from '../jobs/company-jobs.tsx';
import { companyPath } from './company.ts';
import { CompanyCredentials } from './credentials.tsx';
import { DistrictsForm } from './districts.tsx';
import { GrantForm } from './grant.tsx';
import { CompanyStanding } from './standing.tsx';
import { SubscriptionForm } from './subscription.tsx';

/** One company with all that an administrator decides about it; `errors` are what a form that was sent is refused for. */
export async function showCompanyPage(ctx: AdminContext, errors: FieldErrors = {}): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const [company, plans, districts, credentials, users] = await Promise.all([
    showCompany(ctx, { companyId }),
    listPlans(ctx),
    listAllDistricts(ctx),
    listCredentials(ctx, { companyId }),
    listUsers(ctx, { companyId }),
  ]);
  const typed = Object.keys(errors).length > 0 ? ctx.form : undefined;
  const content = (
    <>
      <h1>{company.name}</h1>
      <FormErrors errors={errors} />
      <CompanyStanding company={company} />
      <SubscriptionForm company={company} plans={plans} typed={typed} errors={errors} />
      <GrantForm company={company} typed={typed} errors={errors} />
      <DistrictsForm company={company} districts={districts} typed={typed} errors={errors} />
      <CompanyCredentials path={companyPath(companyId)} {...credentials} />
      <JobCounts company={company} />
      <h2>People</h2>
      {users.length === 0 ? (
        <p>Nobody can sign in for this company yet. An operator creates its main account.</p>
      ) : (
        <ul>
          {users.map(({ email, role }) => (
            <li key={email}>{`${email} (${role === 'main' ? 'main account' : 'sub-account'})`}</li>
          ))}
        </ul>
      )}
    </>
  );
  return page(company.name, content, typed ? 422 : 200);
}

export const companyPage = (ctx: AdminContext): Promise<PageAnswer> => showCompanyPage(ctx);
