import { type CredentialRow, listCredentials as credentialsOf } from '../../queries/credential-admin.ts';
import type { ActionContext } from '../recorded.ts';
import { type CredentialState, stateOf } from './credential-state.ts';

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
  const withState = (row: CredentialRow) => ({ ...row, state: stateOf(row, ctx.now) });
  return { valid: valid.map(withState), ended: ended.map(withState) };
}
