import type { Context } from '../../context.ts';
import { unknownCredential } from '../../domain/errors.ts';
import * as queries from '../../queries/credentials.ts';
import type { CompanyRef } from '../companies/change-company.ts';
import { recordedFor } from '../recorded.ts';

export interface CredentialRef extends CompanyRef {
  readonly credentialId: bigint;
}

/**
 * Revokes a credential from its next request. Revoking again returns the time of the first revocation.
 * Throws `unknown_company`, and `unknown_credential`, also for a credential of another company.
 */
export function revokeCredential(
  ctx: Context,
  { companyId, credentialId }: CredentialRef,
): Promise<{ revokedAt: Date }> {
  return recordedFor(ctx, companyId, async (tx) => {
    const revoked = await queries.revokeCredential(tx, companyId, credentialId, ctx.now);
    if (!revoked) throw unknownCredential(credentialId);
    const { environment, revokedAt, changed } = revoked;
    const details = { credential_id: Number(credentialId) };
    return { result: { revokedAt }, audit: changed ? { action: 'credential.revoked', environment, details } : null };
  });
}
