import type { CredentialList, ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { Badge } from '../../parts/badge.tsx';
import { accessNames, maskedSecret } from '../../parts/credential.ts';
import { PostForm } from '../../parts/post-form.tsx';
import { Table, TableRow } from '../../parts/table.tsx';
import { VisuallyHidden } from '../../parts/visually-hidden.tsx';
import { Instant } from '../../parts/when.tsx';

interface CredentialsProps extends CredentialList {
  /** The company's page. */
  readonly path: string;
}

const heads = ['Credential', 'Access', 'Created', 'Expires', 'Last used', 'State'];

/** The valid credentials of a company, which can be revoked, and the latest of those that have ended. */
export const CompanyCredentials = ({ path, valid, ended }: CredentialsProps) => (
  <>
    <h2>Credentials</h2>
    {valid.length === 0 ? (
      <p>None is valid. The company's main account issues them in its dashboard.</p>
    ) : (
      <CredentialTable label="Valid credentials" path={path} credentials={valid} />
    )}
    {ended.length > 0 && (
      <>
        <h3>Ended</h3>
        <CredentialTable label="Ended credentials" path={path} credentials={ended} />
      </>
    )}
  </>
);

interface TableProps {
  readonly label: string;
  readonly path: string;
  readonly credentials: readonly ListedCredential[];
}

const CredentialTable = ({ label, path, credentials }: TableProps) => (
  <Table label={label} heads={heads}>
    {credentials.map((credential) => (
      <CredentialRow key={String(credential.id)} path={path} credential={credential} />
    ))}
  </Table>
);

const CredentialRow = ({ path, credential }: { readonly path: string; readonly credential: ListedCredential }) => (
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
      {credential.state === 'revoked' ? (
        <Badge tone="bad" text="Revoked" />
      ) : credential.state === 'expired' ? (
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
