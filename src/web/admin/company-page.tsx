import type { ComponentChildren, VNode } from 'preact';
import type { AccessBlocker } from '../../domain/eligibility.ts';
import { environments } from '../../domain/environment.ts';
import * as change from '../../operations/companies/people/change-company.ts';
import { eraseCompany, exportCompany } from '../../operations/companies/people/erase-company.ts';
import { endComplimentary, grantComplimentary } from '../../operations/companies/people/grant-complimentary.ts';
import { refuseProduction } from '../../operations/companies/people/request-production.ts';
import { setDistricts } from '../../operations/companies/people/set-districts.ts';
import { endSubscription, setSubscription } from '../../operations/companies/people/set-subscription.ts';
import { showCompany } from '../../operations/companies/people/show-company.ts';
import { listCredentials } from '../../operations/credentials/people/list-credentials.ts';
import { revokeCredential } from '../../operations/credentials/people/revoke-credential.ts';
import { statusLabels } from '../../operations/jobs/people/search-jobs.ts';
import type { Shown } from '../../operations/kit/declare.ts';
import { storedResources } from '../../operations/stored/stored-resources.ts';
import { createUser, roleLabels } from '../../operations/users/people/create-account.ts';
import { listUsers } from '../../operations/users/people/list-users.ts';
import { EnvironmentCard, grantText, planText } from '../components/access.tsx';
import { CredentialTables } from '../components/credential-tables.tsx';
import { Action } from '../components/operation-form.tsx';
import { PersonActions } from '../components/person-actions.tsx';
import { Facts, Instant } from '../components/text.tsx';
import { inEnvironmentLabels, storedLabel } from '../labels.ts';
import { Rows } from '../list.tsx';
import { type AdminContext, idIn, type PageAnswer, page } from '../page.ts';
import type { Translate } from '../texts/language.ts';
import { companyJobsPath, companyPath } from './paths.ts';

type Company = Awaited<ReturnType<typeof showCompany>>;

/** One company, with everything that an administrator can decide about it. */
export async function company(ctx: AdminContext): Promise<PageAnswer> {
  const { t } = ctx;
  const companyId = idIn(ctx.params, 'company');
  const shown = await showCompany(ctx, { companyId });
  const credentials = await listCredentials(ctx, { companyId });
  const people = await listUsers(ctx, { companyId });
  const path = companyPath(companyId);
  const actions = actionsOf(shown);
  const actionTo = ([operation, name]: (typeof actions)[number]) => (
    <Action key={name} operation={operation} href={`${path}/${name}`} />
  );
  return page(
    shown.name,
    <>
      <h1>{shown.name}</h1>
      <div class="row">
        {environments.map((environment) => (
          <EnvironmentCard key={environment} environment={environment} access={shown.access[environment]}>
            <p>
              <a href={companyJobsPath({ companyId, environment })}>
                {t('Jobs {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
              </a>
              {`: ${countsText(shown, environment, t)}`}
            </p>
            <p>
              <a href={`/admin/requests?companyId=${companyId}&environment=${environment}`}>
                {t('Requests {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) })}
              </a>
            </p>
          </EnvironmentCard>
        ))}
        <article class="col-6" aria-labelledby="access">
          <h2 id="access">{t('Access')}</h2>
          <Facts facts={factsOf(shown, ctx)} />
          <div class="actions">
            {actions.slice(0, shownActions).map(actionTo)}
            <details>
              <summary>{t('More actions')}</summary>
              <div class="actions">{actions.slice(shownActions).map(actionTo)}</div>
            </details>
          </div>
        </article>
        <article class="col-6" aria-labelledby="people">
          <h2 id="people">{t('People')}</h2>
          {people.items.length === 0 ? (
            <p>{t('No accounts yet.')}</p>
          ) : (
            <Rows
              list={listUsers}
              found={people}
              label={t('People')}
              rowName="email"
              cells={{ role: ({ role }) => t(roleLabels[role]), locked: null }}
              actions={(person) => <PersonActions people="users" list={`${path}/people`} {...person} />}
            />
          )}
          <div class="actions">
            <Action operation={createUser} href={`${path}/create-user`} />
          </div>
        </article>
      </div>
      <p>
        <a href={`/admin/audit?companyId=${companyId}`}>{t("The company's audit trail")}</a>
      </p>
      <h2>{t('Credentials')}</h2>
      <CredentialTables
        credentials={credentials}
        none={t("No valid credentials. The company's main account issues them in the dashboard.")}
        actions={(id, name) => (
          <Action operation={revokeCredential} href={`${path}/credentials/${id}/revoke`} row={name} />
        )}
      />
    </>,
  );
}

/** What an erasure deletes, so that an administrator sees whether this is the company that they mean. */
export async function whatIsErased(_: Shown, t: Translate, ctx: AdminContext): Promise<VNode> {
  const companyId = idIn(ctx.params, 'company');
  const shown = await showCompany(ctx, { companyId });
  const { items: people } = await listUsers(ctx, { companyId });
  const others: (readonly [string, number])[] = [];
  // One query after the other, because a page uses one connection.
  for (const { resource, list } of storedResources)
    for (const environment of environments) {
      const { total = 0 } = await list(ctx, { companyId, environment, page: 1 });
      others.push([`${t(storedLabel(resource.table))} ${t(inEnvironmentLabels[environment])}`, total]);
    }
  return (
    <Facts
      facts={[
        [t('Name'), shown.name],
        [t('Created'), <Instant key="created" at={shown.createdAt} />],
        [t('People'), people.length],
        ...environments.map(
          (environment) =>
            [
              t('Jobs {{inEnvironment}}', { inEnvironment: t(inEnvironmentLabels[environment]) }),
              countsText(shown, environment, t),
            ] as const,
        ),
        ...others,
      ]}
    />
  );
}

/** Says how many jobs of each status a company has in an environment. */
export function countsText({ jobs }: Company, environment: string, t: Translate): string {
  const counts = jobs
    .filter((count) => count.environment === environment)
    .map(({ jobs: count, status }) => {
      const label = count === 1 ? t(statusLabels[status]).toLowerCase() : t(status);
      return `${count} ${label}`;
    });
  return counts.join(', ') || t('none');
}

/** How many actions are shown outside of "More actions". The others are rare. */
const shownActions = 3;

/** The facts about a company: its plan, its state and what it may do. */
function factsOf(company: Company, { t, timeZone }: AdminContext): (readonly [string, ComponentChildren])[] {
  const { subscription, grant, districts } = company;
  const yesOrNo = (isSo: boolean) => (isSo ? t('Yes') : t('No'));
  const instant = (at: Date | null) => (at ? <Instant at={at} /> : t('No'));
  return [
    [t('Plan'), planText(subscription, t, timeZone)],
    [t('Complimentary access'), grantText(grant, t)],
    [t('Company ID'), String(company.id)],
    [t('Created'), instant(company.createdAt)],
    [t('Approved for production'), instant(company.productionApprovedAt)],
    [t('Asked for production'), noted(company.productionRequestedAt, company.productionRequestNote)],
    [t('Suspended'), noted(company.suspendedAt, company.suspensionReason) ?? t('No')],
    [t('Verified'), yesOrNo(company.verified)],
    [t('Publishes without review'), yesOrNo(company.autoPublish)],
    [t('May publish in'), districts.length === 0 ? t('All regions') : districts.map(({ name }) => name).join(', ')],
  ];
}

/** When something happened, and what its person noted about it. Null if it did not happen. */
const noted = (at: Date | null, note: string | null) =>
  at && (
    <>
      <Instant at={at} />
      {note && `: ${note}`}
    </>
  );

/** For each access blocker, the page name of the operation that removes it. */
const openings: Readonly<Record<AccessBlocker, string>> = {
  suspended: 'reinstate',
  unverified: 'set',
  plan: 'subscribe',
  approval: 'approve',
};

/** The operations on a company, with the names of their pages. Those that remove an access blocker come first. */
function actionsOf(company: Company) {
  const { sandbox, production } = company.access;
  const awaited = [sandbox, production].flatMap((access) =>
    access.kind === 'open' ? [] : access.blockers.map((blocker) => openings[blocker]),
  );
  const placeOf = (name: string) => (awaited.includes(name) ? awaited.indexOf(name) : awaited.length);
  return possibleActions(company).toSorted(([, a], [, b]) => placeOf(a) - placeOf(b));
}

const possibleActions = ({
  productionApprovedAt,
  productionRequestedAt,
  suspendedAt,
  subscription,
  grant,
}: Company) => [
  ...(productionApprovedAt === null ? [[change.approveCompany, 'approve'] as const] : []),
  ...(productionRequestedAt ? [[refuseProduction, 'refuse'] as const] : []),
  [setSubscription, 'subscribe'] as const,
  [change.changeCompany, 'set'] as const,
  suspendedAt === null
    ? ([change.suspendCompany, 'suspend'] as const)
    : ([change.reinstateCompany, 'reinstate'] as const),
  [setDistricts, 'districts'] as const,
  [grantComplimentary, 'grant'] as const,
  [exportCompany, 'export'] as const,
  ...(productionApprovedAt === null ? [] : [[change.withdrawApproval, 'unapprove'] as const]),
  ...(subscription?.inForce ? [[endSubscription, 'unsubscribe'] as const] : []),
  ...(grant?.inForce ? [[endComplimentary, 'end-grant'] as const] : []),
  [eraseCompany, 'erase'] as const,
];
