import type { CredentialState, ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { accessNames, maskedSecret } from '../../parts/credential.ts';
import { Table, TableRow } from '../../parts/table.tsx';
import { VisuallyHidden } from '../../parts/visually-hidden.tsx';
import { Instant } from '../../parts/when.tsx';

const states: Readonly<Record<CredentialState, readonly [Tone, string]>> = {
  valid: ['good', 'Valid'],
  expiring: ['waiting', 'Expires soon'],
  expired: ['quiet', 'Expired'],
  revoked: ['quiet', 'Revoked'],
};

interface TableProps {
  /** What the table lists. */
  readonly label: string;
  readonly credentials: readonly ListedCredential[];
  readonly isMain: boolean;
}

export function CredentialTable({ label, credentials, isMain }: TableProps) {
  const heads = ['Credential', 'For', 'Created', 'Expires', 'Last used', 'State'];
  return (
    <Table label={label} heads={isMain ? [...heads, 'Change'] : heads}>
      {credentials.map((credential) => (
        <Row key={String(credential.id)} credential={credential} isMain={isMain} />
      ))}
    </Table>
  );
}

function Row({ credential, isMain }: { readonly credential: ListedCredential; readonly isMain: boolean }) {
  const { id, label, lastFour, environment, access, createdAt, expiresAt, lastUsedAt, state } = credential;
  const [tone, text] = states[state];
  return (
    <TableRow>
      <th scope="row">
        {label} <code>{maskedSecret(credential)}</code>
      </th>
      <td>{`${environment}: ${accessNames[access].toLowerCase()}`}</td>
      <td>
        <Instant at={createdAt} />
      </td>
      <td>
        <Instant at={expiresAt} />
      </td>
      <td>{lastUsedAt ? <Instant at={lastUsedAt} /> : 'Never'}</td>
      <td>
        <Badge tone={tone} text={text} />
      </td>
      {isMain && (
        <td>
          <div class="acts">
            <a href={`/dashboard/credentials/${id}/replace`}>
              Replace <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>
            </a>
            <a href={`/dashboard/credentials/${id}/revoke`}>
              Revoke <VisuallyHidden>{`${label} …${lastFour}`}</VisuallyHidden>
            </a>
          </div>
        </td>
      )}
    </TableRow>
  );
}
