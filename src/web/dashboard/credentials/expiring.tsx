import type { ListedCredential } from '../../../operations/credentials/list-credentials.ts';
import { Instant } from '../../parts/when.tsx';

interface Props {
  readonly credentials: readonly ListedCredential[];
  readonly isMain: boolean;
}

/** Warns of those that end within 14 days; of none it says nothing. */
export function Expiring({ credentials, isMain }: Props) {
  const soon = credentials.filter(({ state }) => state === 'expiring');
  if (soon.length === 0) return null;
  return (
    <div class="alert">
      <p>These credentials end within 14 days. Replace in time those that are still in use:</p>
      <ul>
        {soon.map(({ id, label, lastFour, environment, expiresAt }) => (
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
