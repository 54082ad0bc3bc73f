import {
  type CredentialRow,
  listCredentials as credentialsOf,
  findCredential,
} from '../../queries/credential-admin.ts';
import { unknownCredential } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';
import type { CredentialName } from './revoke-credential.ts';

export type ListedCredential = CredentialRow & { readonly state: CredentialState };

export interface CredentialList {
  readonly valid: readonly ListedCredential[];
  /** The latest 50 of those revoked or expired. */
  readonly ended: readonly ListedCredential[];
}

/** A company's credentials of both environments, newest first. */
export async function listCredentials(
  ctx: ActionContext,
  { companyId }: { readonly companyId: bigint },
): Promise<CredentialList> {
  const { valid, ended } = await credentialsOf(ctx.db, companyId, ctx.now);
  const withState = (row: CredentialRow) => ({ ...row, state: credentialState(row, ctx.now) });
  return { valid: valid.map(withState), ended: ended.map(withState) };
}

/** Refuses with `unknown_credential` also one of another company. */
export async function showCredential(
  ctx: ActionContext,
  { companyId, credentialId }: CredentialName,
): Promise<ListedCredential> {
  const row = await findCredential(ctx.db, companyId, credentialId);
  if (!row) throw unknownCredential(credentialId);
  return { ...row, state: credentialState(row, ctx.now) };
}

export type CredentialState = 'valid' | 'expiring' | 'expired' | 'revoked';

const warnedDays = 14;
const dayMs = 86_400_000;

/** `expiring` is valid with at most 14 days left. */
export function credentialState({ revokedAt, expiresAt }: CredentialRow, now: Date): CredentialState {
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'expired';
  return leftMs <= warnedDays * dayMs ? 'expiring' : 'valid';
}

/** Revoked or expired: it opens nothing any more. */
export const hasEnded = (state: CredentialState): boolean => state === 'revoked' || state === 'expired';
