import type { FunctionComponent } from 'preact';
import { type Environment, policy } from '../../domain/environment.ts';
import { accessLabels } from '../../operations/credentials/issue-credential.ts';
import type { CredentialState, ListedCredential } from '../../operations/credentials/list-credentials.ts';
import { environmentLabels } from '../labels.ts';
import { type Translate, useT } from '../texts/t.ts';
import { Badge, type Tone } from './badges.tsx';
import { Table } from './data-table.tsx';
import { Instant } from './text.tsx';

/** Tells credentials apart without revealing their secrets: vaga_test_…1a2b. */
export const maskedSecret = ({ environment, lastFour }: { environment: Environment; lastFour: string }): string =>
  `${policy[environment].tokenPrefix}…${lastFour}`;

const tones: Readonly<Record<CredentialState, Tone>> = {
  valid: 'good',
  expiring: 'waiting',
  expired: 'quiet',
  revoked: 'quiet',
};

const stateLabels: Readonly<Record<CredentialState, string>> = {
  valid: 'Valid',
  expiring: 'Expires soon',
  expired: 'Expired',
  revoked: 'Revoked',
};

/** What a credential is for: "sandbox, read". */
export const accessText = ({ environment, access }: ListedCredential, t: Translate): string =>
  `${t(environmentLabels[environment])}, ${t(accessLabels[access])}`.toLowerCase();

interface CredentialTableProps {
  readonly label: string;
  readonly credentials: readonly ListedCredential[];
  /** What the reader can do with a credential. */
  readonly actions?: FunctionComponent<ListedCredential> | undefined;
}

export function CredentialTable({ label, credentials, actions: Actions }: CredentialTableProps) {
  const t = useT();
  return (
    <Table
      label={label}
      rows={credentials}
      rowHead={t('Credential')}
      columns={[
        [
          t('Credential'),
          (credential) => (
            <>
              {credential.label} <code>{maskedSecret(credential)}</code>
            </>
          ),
        ],
        [t('Access'), (credential) => accessText(credential, t)],
        [t('Created'), ({ createdAt }) => <Instant at={createdAt} />],
        [t('Expires'), ({ expiresAt }) => <Instant at={expiresAt} />],
        [t('Last used'), ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : t('Never'))],
        [t('State'), ({ state }) => <Badge tone={tones[state]} text={t(stateLabels[state])} />],
        ...(Actions
          ? [
              [
                t('Actions'),
                (credential: ListedCredential) => (
                  <div class="actions">
                    <Actions {...credential} />
                  </div>
                ),
              ] as const,
            ]
          : []),
      ]}
    />
  );
}
