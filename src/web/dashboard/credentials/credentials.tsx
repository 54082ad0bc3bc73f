import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { listCredentials } from '../../../operations/credentials/list-credentials.ts';
import { CredentialTable } from '../../components/credential-table.tsx';
import { Instant, VisuallyHidden } from '../../components/text.tsx';
import { type DashboardContext, type PageAnswer, page } from '../../page.ts';

/** The company's credentials; a sub-account cannot change them. */
export async function credentials(ctx: DashboardContext): Promise<PageAnswer> {
  const { isMain, company } = ctx.person;
  const { valid, ended } = await listCredentials(ctx, { companyId: company.id });
  return page(
    'Credentials',
    <>
      <h1>Credentials</h1>
      <ExpiringCredentials credentials={valid} isMain={isMain} />
      {isMain ? (
        <p>
          <a href="/dashboard/credentials/issue" class="action">
            Issue a credential
          </a>
        </p>
      ) : (
        <p>Only the company's main account can issue and revoke credentials.</p>
      )}
      <h2>Valid</h2>
      {valid.length > 0 ? (
        <CredentialTable label="Valid credentials" credentials={valid} actions={isMain ? links : undefined} />
      ) : (
        <p>No valid credentials. A program needs one to use the API.</p>
      )}
      {ended.length > 0 && (
        <>
          <h2>Expired and revoked</h2>
          <CredentialTable label="Expired and revoked credentials" credentials={ended} />
        </>
      )}
    </>,
  );
}

function links({ id, label, lastFour }: ListedCredential) {
  const name = <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>;
  return (
    <div class="actions">
      <a href={`/dashboard/credentials/${id}/replace`}>Replace {name}</a>
      <a href={`/dashboard/credentials/${id}/revoke`}>Revoke {name}</a>
    </div>
  );
}

interface ExpiringProps {
  readonly credentials: readonly ListedCredential[];
  readonly isMain: boolean;
}

/** Warns of credentials that expire within 14 days. */
export function ExpiringCredentials({ credentials: valid, isMain }: ExpiringProps) {
  const expiring = valid.filter(({ state }) => state === 'expiring');
  if (expiring.length === 0) return null;
  return (
    <div class="alert">
      <p>These credentials expire within 14 days. Replace those still in use:</p>
      <ul>
        {expiring.map(({ id, label, lastFour, environment, expiresAt }) => (
          <li key={String(id)}>
            {isMain ? <a href={`/dashboard/credentials/${id}/replace`}>{`Replace ${label} …${lastFour}`}</a> : label}
            {`, ${environment}, `}
            <Instant at={expiresAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}
