import { showCompany } from '../../../operations/companies/show-company.ts';
import { type CredentialList, listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { listUsers } from '../../../operations/people/list-users.ts';
import { listPlans } from '../../../operations/plans/list-plans.ts';
import { listAllDistricts } from '../../../operations/reference/list-reference.ts';
import { CredentialTable } from '../../components/credential-table.tsx';
import { FormErrors, PostForm } from '../../components/form.tsx';
import { Table } from '../../components/table.tsx';
import { Instant, VisuallyHidden } from '../../components/text.tsx';
import type { FieldErrors } from '../../form.ts';
import { inEnvironmentLabels, severalLabels, statusLabels } from '../../labels.ts';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { idIn } from '../../params.ts';
import { useT } from '../../texts/t.ts';
import { companyJobsPath, companyPath } from '../paths.ts';
import { Access } from './access.tsx';
import { type Company, GrantForm, PlanForm, RegionsForm } from './company-forms.tsx';

export const company = (ctx: AdminContext): Promise<PageAnswer> => companyPage(ctx, {});

/** One company with everything that an administrator decides about it. `errors` are those of a refused form. */
export async function companyPage(ctx: AdminContext, errors: FieldErrors): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const [shown, plans, districts, credentials, { items: users }] = await Promise.all([
    showCompany(ctx, { companyId }),
    listPlans(ctx),
    listAllDistricts(ctx),
    listCredentials(ctx, { companyId }),
    listUsers(ctx, { companyId }),
  ]);
  const submitted = Object.keys(errors).length > 0 ? ctx.form : undefined;
  const form = { company: shown, submitted, errors };
  const content = (
    <>
      <h1>{shown.name}</h1>
      <FormErrors errors={errors} />
      <Access company={shown} />
      <PlanForm {...form} plans={plans} />
      <GrantForm {...form} />
      <RegionsForm {...form} districts={districts} />
      <Credentials path={companyPath(companyId)} credentials={credentials} />
      <Jobs company={shown} />
      <People users={users} />
    </>
  );
  return page(shown.name, content, errors);
}

interface CredentialsProps {
  readonly path: string;
  readonly credentials: CredentialList;
}

function Credentials({ path, credentials: { valid, ended } }: CredentialsProps) {
  const t = useT();
  return (
    <>
      <h2>{t('Credentials')}</h2>
      {valid.length === 0 ? (
        <p>{t("No valid credentials. The company's main account issues them in the dashboard.")}</p>
      ) : (
        <CredentialTable
          label={t('Valid credentials')}
          credentials={valid}
          actions={({ id, label, lastFour }) => (
            <PostForm action={`${path}/credentials/${id}/revoke`}>
              <button type="submit" class="secondary small">
                {t('Revoke')} <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>
              </button>
            </PostForm>
          )}
        />
      )}
      {ended.length > 0 && (
        <>
          <h3>{t('Expired and revoked credentials')}</h3>
          <CredentialTable label={t('Expired and revoked credentials')} credentials={ended} />
        </>
      )}
    </>
  );
}

const roleLabels = { main: 'Main account', sub: 'Sub-account' };

function People({ users }: { readonly users: Awaited<ReturnType<typeof listUsers>>['items'] }) {
  const t = useT();
  if (users.length === 0)
    return (
      <>
        <h2>{t('People')}</h2>
        <p>{t('No accounts yet. An operator creates the main account.')}</p>
      </>
    );
  return (
    <>
      <h2>{t('People')}</h2>
      <Table
        label={t('People')}
        rows={users}
        rowHead={t('E-mail address')}
        columns={[
          [t('E-mail address'), ({ email }) => email],
          [t('Account'), ({ role }) => t(roleLabels[role])],
          [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
        ]}
      />
    </>
  );
}

function Jobs({ company: { id: companyId, jobs } }: { readonly company: Company }) {
  const t = useT();
  return (
    <>
      <h2>{t('Jobs')}</h2>
      <ul>
        {(['production', 'sandbox'] as const).map((environment) => {
          const counts = jobs.filter((count) => count.environment === environment);
          const shown = counts.map(
            ({ jobs: count, status }) =>
              `${count} ${count === 1 ? t(statusLabels[status]).toLowerCase() : t(severalLabels[status])}`,
          );
          return (
            <li key={environment}>
              <a href={companyJobsPath({ companyId, environment })}>
                {t('Jobs {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
              </a>
              {`: ${shown.join(', ') || t('none')}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
