import { Badge } from '../../parts/badge.tsx';
import { accessNames, maskedSecret } from '../../parts/credential.ts';
import { PostForm } from '../../parts/post-form.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { VisuallyHidden } from '../../parts/visually-hidden.tsx';
import { Instant } from '../../parts/when.tsx';
import { type Company, companyPath } from './company.ts';

interface CredentialsProps {
  readonly company: Company;
  readonly now: Date;
}

type Credential = Company['credentials'][number];

const heads = ['Credential', 'Access', 'Created', 'Expires', 'Last used', 'State'];

/** All credentials of a company, newest first; those that still open something can be revoked. */
export const CompanyCredentials = ({ company, now }: CredentialsProps) => (
  <>
    <h2>Credentials</h2>
    {company.credentials.length === 0 ? (
      <p>None. The company's main account issues them in its dashboard.</p>
    ) : (
      <Table label="Credentials" heads={heads}>
        {company.credentials.map((credential) => (
          <CredentialRow key={String(credential.id)} path={companyPath(company.id)} credential={credential} now={now} />
        ))}
      </Table>
    )}
  </>
);

interface RowProps {
  readonly path: string;
  readonly credential: Credential;
  readonly now: Date;
}

const CredentialRow = ({ path, credential, now }: RowProps) => (
  <TableRow>
    <th scope="row">
      {credential.label} <code>{maskedSecret(credential)}</code>
    </th>
    <td>{accessNames[credential.access]}</td>
    <td>
      <Instant at={credential.createdAt} />
    </td>
    <td>
      <Instant at={credential.expiresAt} />
    </td>
    <td>{credential.lastUsedAt ? <Instant at={credential.lastUsedAt} /> : 'Never'}</td>
    <td>
      {credential.revokedAt ? (
        <Badge tone="bad" text="Revoked" />
      ) : credential.expiresAt <= now ? (
        <Badge tone="quiet" text="Expired" />
      ) : (
        <PostForm action={`${path}/credentials/${credential.id}/revoke`}>
          <button type="submit" class="secondary small">
            Revoke <VisuallyHidden>{`${credential.label} …${credential.lastFour}`}</VisuallyHidden>
          </button>
        </PostForm>
      )}
    </td>
  </TableRow>
);
