import type { VNode } from 'preact';
import { type Environment, policy } from '../../domain/environment.ts';
import type { CredentialState, ListedCredential } from '../../operations/credentials/list-credentials.ts';
import { Badge, type Tone } from './badges.tsx';
import { Table, TableRow } from './table.tsx';
import { Instant } from './text.tsx';

export const accessNames = { read: 'Read', write: 'Read and write' } as const;

/** Tells credentials apart without revealing their secrets: vaga_test_…1a2b. */
export const maskedSecret = ({ environment, lastFour }: { environment: Environment; lastFour: string }): string =>
  `${policy[environment].tokenPrefix}…${lastFour}`;

const states: Readonly<Record<CredentialState, readonly [Tone, string]>> = {
  valid: ['good', 'Valid'],
  expiring: ['waiting', 'Expires soon'],
  expired: ['quiet', 'Expired'],
  revoked: ['quiet', 'Revoked'],
};

interface CredentialTableProps {
  readonly label: string;
  readonly credentials: readonly ListedCredential[];
  /** What the reader can do with a credential. */
  readonly actions?: ((credential: ListedCredential) => VNode) | undefined;
}

export function CredentialTable({ label, credentials, actions }: CredentialTableProps) {
  return (
    <Table label={label} heads={['Credential', 'Access', 'Created', 'Expires', 'Last used', 'State']}>
      {credentials.map((credential) => {
        const { id, environment, access, createdAt, expiresAt, lastUsedAt, state } = credential;
        const [tone, text] = states[state];
        return (
          <TableRow key={String(id)}>
            <th scope="row">
              {credential.label} <code>{maskedSecret(credential)}</code>
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
              {actions?.(credential)}
            </td>
          </TableRow>
        );
      })}
    </Table>
  );
}
