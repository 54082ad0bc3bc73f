import type { VNode } from 'preact';
import { type Environment, policy } from '../../domain/environment.ts';
import type {
  CredentialList,
  CredentialState,
  ListedCredential,
} from '../../operations/credentials/list-credentials.ts';
import { type Texts, useTexts } from '../texts/texts.ts';
import { Badge, type Tone } from './badges.tsx';
import { byName, type ListSearch, type Sort, searched } from './list-search.tsx';
import { Table } from './table.tsx';
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

/** The credentials whose label or last four characters contain the searched text, in the chosen order. */
export function searchedCredentials(
  { valid, ended }: CredentialList,
  search: ListSearch<Sort<'credentials'>>,
  texts: Texts,
): CredentialList {
  const found = (credentials: readonly ListedCredential[]) =>
    searched(credentials, search, ({ label, lastFour }) => `${label} ${lastFour}`, {
      oldest: (one, other) => Number(one.id - other.id),
      name: byName(texts, ({ label }) => label),
      expiry: (one, other) => one.expiresAt.getTime() - other.expiresAt.getTime(),
    });
  return { valid: found(valid), ended: found(ended) };
}

interface CredentialTableProps {
  readonly label: string;
  readonly credentials: readonly ListedCredential[];
  /** What the reader can do with a credential. */
  readonly actions?: ((credential: ListedCredential) => VNode) | undefined;
}

export function CredentialTable({ label, credentials, actions }: CredentialTableProps) {
  const { environments, credentials: texts } = useTexts();
  const { columns } = texts;
  return (
    <Table
      label={label}
      rows={credentials}
      rowHead={columns.credential}
      columns={[
        [
          columns.credential,
          (credential) => (
            <>
              {credential.label} <code>{maskedSecret(credential)}</code>
            </>
          ),
        ],
        [
          columns.access,
          ({ environment, access }) => `${environments[environment].lower}: ${texts.accessLower[access]}`,
        ],
        [columns.created, ({ createdAt }) => <Instant at={createdAt} />],
        [columns.expires, ({ expiresAt }) => <Instant at={expiresAt} />],
        [columns.lastUsed, ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : texts.never)],
        [
          columns.state,
          (credential) => (
            <>
              <Badge tone={tones[credential.state]} text={texts.states[credential.state]} />
              {actions?.(credential)}
            </>
          ),
        ],
      ]}
    />
  );
}
