import { showCompany } from '../../../operations/companies/show-company.ts';
import { type CredentialList, listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { listUsers } from '../../../operations/people/list-users.ts';
import { listPlans } from '../../../operations/plans/set-plan.ts';
import { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { CredentialTable } from '../../components/credential-table.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import { VisuallyHidden } from '../../components/text.tsx';
import type { FieldErrors } from '../../form.ts';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { idIn } from '../../params.ts';
import { useTexts } from '../../texts/texts.ts';
import { companyJobsPath, companyPath } from '../paths.ts';
import { Access } from './access.tsx';
import { type Company, GrantForm, PlanForm, RegionsForm } from './company-forms.tsx';

export const company = (ctx: AdminContext): Promise<PageAnswer> => companyPage(ctx, {});

/** One company with everything that an administrator decides about it. `errors` are those of a refused form. */
export async function companyPage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const [shown, plans, districts, credentials, users] = await Promise.all([
    showCompany(ctx, { companyId }),
    listPlans(ctx),
    listAllDistricts(ctx),
    listCredentials(ctx, { companyId }),
    listUsers(ctx, { companyId }),
  ]);
  const submitted = Object.keys(errors).length > 0 ? ctx.form : undefined;
  const form = { company: shown, submitted, errors };
  const { company: texts } = ctx.texts;
  const content = (
    <>
      <h1>{shown.name}</h1>
      <FormErrors errors={errors} />
      <Access company={shown} />
      <PlanForm {...form} plans={plans} />
      <GrantForm {...form} />
      <RegionsForm {...form} districts={districts} />
      <Credentials path={companyPath(companyId)} {...credentials} />
      <Jobs company={shown} />
      <h2>{texts.people}</h2>
      {users.length === 0 ? (
        <p>{texts.noPeople}</p>
      ) : (
        <ul>
          {users.map(({ email, role }) => (
            <li key={email}>{`${email} (${texts.roles[role === 'main' ? 'main' : 'sub']})`}</li>
          ))}
        </ul>
      )}
    </>
  );
  return page(shown.name, content, errors);
}

function Credentials({ path, valid, ended }: CredentialList & { readonly path: string }) {
  const { company: texts, credentials: words } = useTexts();
  return (
    <>
      <h2>{texts.credentials}</h2>
      {valid.length === 0 ? (
        <p>{texts.noCredentials}</p>
      ) : (
        <CredentialTable
          label={words.validLabel}
          credentials={valid}
          actions={({ id, label, lastFour }) => (
            <PostForm action={`${path}/credentials/${id}/revoke`}>
              <button type="submit" class="secondary small">
                {words.revoke} <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>
              </button>
            </PostForm>
          )}
        />
      )}
      {ended.length > 0 && (
        <>
          <h3>{words.ended}</h3>
          <CredentialTable label={words.endedLabel} credentials={ended} />
        </>
      )}
    </>
  );
}

function Jobs({ company: { id: companyId, jobs } }: { readonly company: Company }) {
  const { company: texts, environments, statuses } = useTexts();
  return (
    <>
      <h2>{texts.jobs}</h2>
      <ul>
        {(['production', 'sandbox'] as const).map((environment) => {
          const counts = jobs.filter((count) => count.environment === environment);
          const shown = counts.map((count) => {
            const { name, several } = statuses[count.status];
            return texts.jobCount(count.jobs, count.jobs === 1 ? name.toLowerCase() : several);
          });
          return (
            <li key={environment}>
              <a href={companyJobsPath({ companyId, environment })}>{texts.jobsIn(environments[environment].lower)}</a>
              {`: ${shown.join(', ') || texts.noJobs}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
