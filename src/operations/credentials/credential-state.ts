import type { CredentialRow } from '../../queries/credential-admin.ts';

export type CredentialState = 'valid' | 'expiring' | 'expired' | 'revoked';

const warnedDays = 14;
const dayMs = 86_400_000;

/** `expiring` is valid with at most 14 days left. */
export function stateOf({ revokedAt, expiresAt }: CredentialRow, now: Date): CredentialState {
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'expired';
  return leftMs <= warnedDays * dayMs ? 'expiring' : 'valid';
}

/** Revoked or expired: it opens nothing any more. */
export const hasEnded = (state: CredentialState): boolean => state === 'revoked' || state === 'expired';
