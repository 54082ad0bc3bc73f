import * as store from '../../queries/credential-admin.ts';
import { unknownCredential } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

export interface CredentialName {
  readonly companyId: bigint;
  readonly credentialId: bigint;
}

/**
 * Ends a credential from its next request on. Revoked once, it answers with the time of the first revocation.
 * Refuses with `unknown_company`, and with `unknown_credential` also one of another company.
 */
export function revokeCredential(
  ctx: ActionContext,
  { companyId, credentialId }: CredentialName,
): Promise<{ revokedAt: Date }> {
  return recordedFor(ctx, companyId, async (tx) => {
    const revoked = await store.revokeCredential(tx, companyId, credentialId, ctx.now);
    if (!revoked) throw unknownCredential(credentialId);
    const { environment, revokedAt, changed } = revoked;
    const details = { credential_id: Number(credentialId) };
    return { result: { revokedAt }, audit: changed ? { action: 'credential.revoked', environment, details } : null };
  });
}
