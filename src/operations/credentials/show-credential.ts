import { findCredential } from '../../queries/credential-admin.ts';
import { unknownCredential } from '../errors.ts';
import type { ActionContext } from '../recorded.ts';
import { stateOf } from './credential-state.ts';
import type { ListedCredential } from './list-credentials.ts';
import type { CredentialName } from './revoke-credential.ts';

/** Refuses with `unknown_credential` also one of another company. */
export async function showCredential(
  ctx: ActionContext,
  { companyId, credentialId }: CredentialName,
): Promise<ListedCredential> {
  const row = await findCredential(ctx.db, companyId, credentialId);
  if (!row) throw unknownCredential(credentialId);
  return { ...row, state: stateOf(row, ctx.now) };
}
