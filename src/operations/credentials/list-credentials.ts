import type { Context } from '../../context.ts';
import { unknownCredential } from '../../domain/errors.ts';
import * as queries from '../../queries/credentials.ts';
import type { CompanyRef } from '../companies/change-company.ts';
import type { CredentialRef } from './revoke-credential.ts';

export type CredentialState = 'valid' | 'expiring' | 'expired' | 'revoked';
export type ListedCredential = queries.CredentialRow & { readonly state: CredentialState };

export interface CredentialList {
  readonly valid: readonly ListedCredential[];
  /** The latest 50 revoked or expired ones. */
  readonly ended: readonly ListedCredential[];
}

/** Lists a company's credentials of both environments, newest first. */
export async function listCredentials(ctx: Context, { companyId }: CompanyRef): Promise<CredentialList> {
  const { valid, ended } = await queries.listCredentials(ctx.db, companyId, ctx.now);
  const withState = (row: queries.CredentialRow) => ({ ...row, state: credentialState(row, ctx.now) });
  return { valid: valid.map(withState), ended: ended.map(withState) };
}

/** Throws `unknown_credential`, also for a credential of another company. */
export async function showCredential(
  ctx: Context,
  { companyId, credentialId }: CredentialRef,
): Promise<ListedCredential> {
  const row = await queries.findCredential(ctx.db, companyId, credentialId);
  if (!row) throw unknownCredential(credentialId);
  return { ...row, state: credentialState(row, ctx.now) };
}

/** Finds the company of a credential. Only for the operator, who may see every company. Throws `unknown_credential`. */
export async function locateCredential(ctx: Context, credentialId: bigint): Promise<{ companyId: bigint }> {
  const companyId = await queries.findCredentialOwner(ctx.db, credentialId);
  if (companyId === undefined) throw unknownCredential(credentialId);
  return { companyId };
}

const warnedDays = 14;
const dayMs = 86_400_000;

/** `expiring` means valid with at most 14 days left. */
export function credentialState({ revokedAt, expiresAt }: queries.CredentialRow, now: Date): CredentialState {
  if (revokedAt !== null) return 'revoked';
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return 'expired';
  return leftMs <= warnedDays * dayMs ? 'expiring' : 'valid';
}

/** Whether a credential is revoked or expired. */
export const hasEnded = (state: CredentialState): boolean => state === 'revoked' || state === 'expired';
