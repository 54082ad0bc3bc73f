import type { VNode } from 'preact';
import { type Environment, policy } from '../../domain/environment.ts';
import type { CredentialState, ListedCredential } from '../../operations/credentials/list-credentials.ts';
import { Badge, type Tone } from './badges.tsx';
import { Table } from './table.tsx';
import { Instant } from './text.tsx';

export const accessNames = { read: 'Read', write: 'Read and write' } as const;

/** Tells credentials apart without revealing their secrets: vaga_test_…1a2b. */
export const maskedSecret = ({ environment, lastFour }: { environment: Environment; lastFour: string }): string =>
  `${policy[environment].tokenPrefix}…${lastFour}`;

const states: Readonly<Record<CredentialState, { tone: Tone; text: string }>> = {
  valid: { tone: 'good', text: 'Valid' },
  expiring: { tone: 'waiting', text: 'Expires soon' },
  expired: { tone: 'quiet', text: 'Expired' },
  revoked: { tone: 'quiet', text: 'Revoked' },
};

interface CredentialTableProps {
  readonly label: string;
  readonly credentials: readonly ListedCredential[];
  /** What the reader can do with a credential. */
  readonly actions?: ((credential: ListedCredential) => VNode) | undefined;
}

export const CredentialTable = ({ label, credentials, actions }: CredentialTableProps) => (
  <Table
    label={label}
    rows={credentials}
    rowHead="Credential"
    columns={[
      [
        'Credential',
        (credential) => (
          <>
            {credential.label} <code>{maskedSecret(credential)}</code>
          </>
        ),
      ],
      ['Access', ({ environment, access }) => `${environment}: ${accessNames[access].toLowerCase()}`],
      ['Created', ({ createdAt }) => <Instant at={createdAt} />],
      ['Expires', ({ expiresAt }) => <Instant at={expiresAt} />],
      ['Last used', ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : 'Never')],
      [
        'State',
        (credential) => (
          <>
            <Badge {...states[credential.state]} />
            {actions?.(credential)}
          </>
        ),
      ],
    ]}
  />
);
