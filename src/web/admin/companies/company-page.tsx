import { environments } from '../../../domain/environment.ts';
import { showCompany } from '../../../operations/companies/show-company.ts';
import { type CredentialList, listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../../operations/credentials/revoke-credential.ts';
import { createUser } from '../../../operations/people/create-account.ts';
import { listUsers } from '../../../operations/people/list-users.ts';
import { CredentialTable } from '../../components/credential-table.tsx';
import { Action } from '../../components/operation-form.tsx';
import { Table } from '../../components/table.tsx';
import { Instant } from '../../components/text.tsx';
import { inEnvironmentLabels, severalLabels, statusLabels } from '../../labels.ts';
import { type AdminContext, type PageAnswer, page } from '../../page.ts';
import { idIn } from '../../params.ts';
import { useT } from '../../texts/t.ts';
import { companyJobsPath, companyPath } from '../paths.ts';
import { Access, type Company } from './access.tsx';

/** One company with everything that an administrator decides about it. */
export async function company(ctx: AdminContext): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const [shown, credentials, { items: users }] = await Promise.all([
    showCompany(ctx, { companyId }),
    listCredentials(ctx, { companyId }),
    listUsers(ctx, { companyId }),
  ]);
  const content = (
    <>
      <h1>{shown.name}</h1>
      <Access company={shown} />
      <Credentials path={companyPath(companyId)} credentials={credentials} />
      <Jobs company={shown} />
      <People path={companyPath(companyId)} users={users} />
    </>
  );
  return page(shown.name, content);
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
            <div class="actions">
              <Action
                operation={revokeCredential}
                href={`${path}/credentials/${id}/revoke`}
                of={`${label} …${lastFour}`}
              />
            </div>
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

interface PeopleProps {
  readonly path: string;
  readonly users: Awaited<ReturnType<typeof listUsers>>['items'];
}

function People({ path, users }: PeopleProps) {
  const t = useT();
  const create = <Action operation={createUser} href={`${path}/create-user`} />;
  if (users.length === 0)
    return (
      <>
        <h2>{t('People')}</h2>
        <p>{t('No accounts yet.')}</p>
        {create}
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
      {create}
    </>
  );
}

function Jobs({ company: { id: companyId, jobs } }: { readonly company: Company }) {
  const t = useT();
  return (
    <>
      <h2>{t('Jobs')}</h2>
      <ul>
        {environments.map((environment) => {
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
