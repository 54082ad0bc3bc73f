import { type Environment, environments } from '../../domain/environment.ts';
import { showCompany } from '../../operations/companies/show-company.ts';
import { listCredentials } from '../../operations/credentials/list-credentials.ts';
import { revokeCredential } from '../../operations/credentials/revoke-credential.ts';
import { createUser } from '../../operations/people/create-account.ts';
import { listUsers } from '../../operations/people/list-users.ts';
import { CredentialTable } from '../components/credential-table.tsx';
import { Table } from '../components/data-table.tsx';
import { EnvironmentCard } from '../components/environment-card.tsx';
import { Action } from '../components/operation-form.tsx';
import { Instant } from '../components/text.tsx';
import { inEnvironmentLabels, severalLabels, statusLabels } from '../labels.ts';
import { type AdminContext, type PageAnswer, page } from '../page.ts';
import { idIn } from '../params.ts';
import { useT } from '../texts/t.ts';
import { Access, type Company } from './access.tsx';
import { companyJobsPath, companyPath } from './admin-subjects.ts';

/** One company with everything that an administrator decides about it. */
export async function company(ctx: AdminContext): Promise<PageAnswer> {
  const companyId = idIn(ctx.params, 'company');
  const shown = await showCompany(ctx, { companyId });
  const credentials = await listCredentials(ctx, { companyId });
  const { items: users } = await listUsers(ctx, { companyId });
  const content = (
    <>
      <h1>{shown.name}</h1>
      <div class="row">
        {environments.map((environment) => (
          <EnvironmentCard key={environment} environment={environment} access={shown.access[environment]}>
            <Jobs company={shown} environment={environment} />
          </EnvironmentCard>
        ))}
        <Access company={shown} />
        <People path={companyPath(companyId)} users={users} />
      </div>
      <Credentials path={companyPath(companyId)} credentials={credentials} />
    </>
  );
  return page(shown.name, content);
}

interface CredentialsProps {
  readonly path: string;
  readonly credentials: Awaited<ReturnType<typeof listCredentials>>;
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
            <Action
              operation={revokeCredential}
              href={`${path}/credentials/${id}/revoke`}
              row={[t('Revoke'), `${label} …${lastFour}`]}
            />
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
  return (
    <article class="col-6" aria-labelledby="people">
      <h2 id="people">{t('People')}</h2>
      {users.length === 0 ? (
        <p>{t('No accounts yet.')}</p>
      ) : (
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
      )}
      <div class="actions">
        <Action operation={createUser} href={`${path}/create-user`} />
      </div>
    </article>
  );
}

interface JobsProps {
  readonly company: Company;
  readonly environment: Environment;
}

/** How many jobs there are of each status, with a link to them. */
function Jobs({ company: { id: companyId, jobs }, environment }: JobsProps) {
  const t = useT();
  const counts = jobs
    .filter((count) => count.environment === environment)
    .map(({ jobs: count, status }) => {
      const label = count === 1 ? t(statusLabels[status]).toLowerCase() : t(severalLabels[status]);
      return `${count} ${label}`;
    });
  return (
    <p>
      <a href={companyJobsPath({ companyId, environment })}>
        {t('Jobs {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
      </a>
      {`: ${counts.join(', ') || t('none')}`}
    </p>
  );
}
