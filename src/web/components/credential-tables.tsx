import type { ComponentChildren, VNode } from 'preact';
import { environments } from '../../domain/environment.ts';
import { accessLabels, validCredentialsMax } from '../../operations/credentials/people/issue-credential.ts';
import {
  type CredentialState,
  type ListedCredential,
  listCredentials,
  maskedSecret,
} from '../../operations/credentials/people/list-credentials.ts';
import type { ListedPage } from '../../operations/kit/declare.ts';
import { environmentLabels } from '../../operations/kit/fields.ts';
import { type Cells, Rows } from '../list.tsx';
import { useT } from '../page.ts';
import { isolated } from '../texts/isolated.ts';
import type { Translate } from '../texts/language.ts';
import { Badge, Instant, type Tone } from './text.tsx';

const states: Readonly<Record<CredentialState, readonly [Tone, label: string]>> = {
  valid: ['good', 'Valid'],
  replaced: ['quiet', 'Being replaced'],
  expiring: ['waiting', 'Expires soon'],
  expired: ['quiet', 'Expired'],
  revoked: ['quiet', 'Revoked'],
};

/** A credential's environment and access: "sandbox, read". */
export const accessText = ({ environment, access }: Pick<ListedCredential, 'environment' | 'access'>, t: Translate) =>
  `${t(environmentLabels[environment])}, ${t(accessLabels[access])}`.toLowerCase();

const cellsOf = (listed: readonly ListedCredential[], t: Translate): Cells<ListedCredential> => ({
  id: null,
  label: (credential) => (
    <>
      {isolated(credential.label)} <code>{maskedSecret(credential)}</code>
    </>
  ),
  lastFour: null,
  environment: null,
  access: (credential) => accessText(credential, t),
  lastUsedAt: ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : <span class="bare">{t('Never')}</span>),
  replacedBy: null,
  state: ({ state, replacedBy }) => {
    const replacement = listed.find(({ id }) => id === replacedBy);
    return (
      <>
        <Badge tone={states[state][0]} text={t(states[state][1])} />
        {replacement && ` ${t('replaced by {{credential}}', { credential: `…${replacement.lastFour}` })}`}
      </>
    );
  },
});

interface CredentialTablesProps {
  readonly credentials: Awaited<ReturnType<typeof listCredentials>>;
  /** Shown if there are no valid credentials. */
  readonly none: ComponentChildren;
  /** The reader's actions on a valid credential. `name` is for screen readers. */
  readonly actions?: ((id: bigint, name: string) => VNode) | undefined;
}

/** Shows a company's credentials: the valid ones by environment, and the ended ones, folded. */
export function CredentialTables({ credentials: { valid, ended }, none, actions }: CredentialTablesProps) {
  const t = useT();
  const cells = cellsOf([...valid, ...ended], t);
  const common = { list: listCredentials, rowName: 'label', cells } as const;
  return (
    <>
      {valid.length === 0 ? (
        <p>{none}</p>
      ) : (
        environments.map((environment) => {
          const rows = valid.filter((credential) => credential.environment === environment);
          const label = t(environmentLabels[environment]);
          const counts = { environment: label, valid: rows.length, limit: validCredentialsMax };
          return (
            <>
              <h3>{t('{{environment}}: {{valid}} of {{limit}} valid', counts)}</h3>
              {rows.length > 0 && (
                <Rows<ListedPage<ListedCredential>>
                  {...common}
                  label={label}
                  found={{ items: rows }}
                  cells={{ ...cells, access: ({ access }) => t(accessLabels[access]) }}
                  actions={actions && (({ id, label, lastFour }) => actions(id, `${label} …${lastFour}`))}
                />
              )}
            </>
          );
        })
      )}
      {ended.length > 0 && (
        <details class="mt-4">
          <summary>{t('Expired and revoked credentials')}</summary>
          <Rows<ListedPage<ListedCredential>>
            {...common}
            label={t('Expired and revoked credentials')}
            found={{ items: ended }}
          />
        </details>
      )}
    </>
  );
}
