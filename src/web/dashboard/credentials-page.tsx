import { issueCredential } from '../../operations/credentials/people/issue-credential.ts';
import {
  type ListedCredential,
  listCredentials,
  maskedSecret,
  warnedDays,
} from '../../operations/credentials/people/list-credentials.ts';
import { replaceCredential } from '../../operations/credentials/people/replace-credential.ts';
import { revokeCredential } from '../../operations/credentials/people/revoke-credential.ts';
import type { Shown } from '../../operations/kit/declare.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { accessText, CredentialTables } from '../components/credential-tables.tsx';
import { Action } from '../components/operation-form.tsx';
import { Instant } from '../components/text.tsx';
import { mainAccountLabels } from '../labels.ts';
import { type DashboardContext, type PageAnswer, page } from '../page.ts';
import type { Translate } from '../texts/language.ts';

/** The company's credentials; a sub-account cannot change them. */
export async function credentials(ctx: DashboardContext): Promise<PageAnswer> {
  const { t } = ctx;
  const { isMain, company } = ctx.person;
  const listed = await listCredentials(ctx, { companyId: company.id });
  const warning = expiringCredentials(ctx, listed.valid);
  return page(
    t('Credentials'),
    <>
      <h1>{t('Credentials')}</h1>
      {warning}
      {isMain ? (
        <Action operation={issueCredential} href="/dashboard/credentials/issue" />
      ) : (
        !warning && <p>{t(mainAccountLabels.credentials)}</p>
      )}
      <h2>{t('Valid credentials')}</h2>
      <CredentialTables
        credentials={listed}
        none={t('No valid credentials. A program needs one to use the API.')}
        actions={isMain ? actionsOf : undefined}
      />
    </>,
  );
}

function actionsOf(id: bigint, name: string) {
  const path = `/dashboard/credentials/${id}`;
  return (
    <>
      <Action operation={replaceCredential} href={`${path}/replace`} row={name} />
      <Action operation={revokeCredential} href={`${path}/revoke`} row={name} />
    </>
  );
}

/** Describes a credential above the forms that change it. */
export function credentialFacts(values: Shown, t: Translate) {
  // The cast is safe: the subject of these forms is a credential.
  const credential = values as unknown as ListedCredential;
  return (
    <p>
      <code>{maskedSecret(credential)}</code> {accessText(credential, t)},{' '}
      {t('expires {{at}}', { at: <Instant at={credential.expiresAt} /> })}
    </p>
  );
}

/** Warns of credentials that expire soon. */
export function expiringCredentials({ t, person }: DashboardContext, credentials: readonly ListedCredential[]) {
  const { isMain } = person;
  const expiring = credentials.filter(({ state }) => state === 'expiring');
  if (expiring.length === 0) return null;
  return (
    <div class="alert">
      <p>
        {t('These credentials expire within {{days}} days.', { days: warnedDays })}{' '}
        {isMain ? t('Replace those still in use:') : t(mainAccountLabels.credentials)}
      </p>
      <ul>
        {expiring.map(({ id, label, lastFour, environment, expiresAt }) => (
          <li key={String(id)}>
            {isMain ? (
              <a href={`/dashboard/credentials/${id}/replace`}>
                {t('Replace {{label}}', { label: `${label} …${lastFour}` })}
              </a>
            ) : (
              label
            )}
            {`, ${t(environmentLabels[environment]).toLowerCase()}, `}
            <Instant at={expiresAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}
