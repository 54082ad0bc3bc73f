import type { Access } from '../../domain/caller.ts';
import type { Tenant } from '../../domain/environment.ts';
import { lineOf } from '../check-input.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';
import { addCredential, credentialDays, type IssuedCredential } from './add-credential.ts';

export interface CredentialRequest extends Tenant {
  readonly access: Access;
  /** From now; left out, 365. */
  readonly days?: number | undefined;
  /** What the company calls it. */
  readonly label?: string | undefined;
}

/**
 * Refuses with `unknown_company`, `invalid_input`, and with `credential_limit` a sixth credential of one environment that is
 * neither revoked nor expired, also when issued at the same time. A production credential may be issued before approval.
 */
export function issueCredential(ctx: ActionContext, request: CredentialRequest): Promise<IssuedCredential> {
  const { companyId, environment, access } = request;
  const days = credentialDays(request.days);
  const label = request.label === undefined ? `${environment} ${access}` : lineOf('label', request.label, 100);
  return recordedFor(ctx, companyId, async (tx) => {
    const issued = await addCredential(tx, { companyId, environment, access, label, days }, ctx.now);
    const details = { credential_id: Number(issued.credentialId), access, days };
    return { result: issued, audit: { action: 'credential.issued', environment, details } };
  });
}
