import type { Context } from '../../context.ts';
import { rejection, unknownCredential } from '../../domain/errors.ts';
import { expireCredential, findCredential } from '../../queries/credentials.ts';
import { wholeNumberOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';
import { addCredential, credentialDays, type IssuedCredential } from './issue-credential.ts';
import { credentialState, hasEnded } from './list-credentials.ts';
import type { CredentialRef } from './revoke-credential.ts';

/** 30 days. */
const overlapHoursMax = 720;
const hourMs = 3_600_000;

interface Replacement extends CredentialRef {
  /** How long the old credential still works; 0 ends it now. It never outlives its own expiry. */
  readonly overlapHours: number;
  /** Validity of the new one from now; 365 if absent. */
  readonly days?: number | undefined;
}

export interface ReplacedCredential extends IssuedCredential {
  /** When the old one ends. */
  readonly endsAt: Date;
}

/**
 * Issues a credential with the environment, access and label of an old one, which ends after the overlap. Until then both count towards
 * the limit of five. Throws `unknown_company`, `unknown_credential`, `invalid_input`, `credential_limit` and `credential_ended`.
 */
export function replaceCredential(ctx: Context, request: Replacement): Promise<ReplacedCredential> {
  const { companyId, credentialId } = request;
  const overlapHours = wholeNumberOf('overlapHours', request.overlapHours, 0, overlapHoursMax);
  const days = credentialDays(request.days);
  return recordedFor(ctx, companyId, async (tx) => {
    const old = await findCredential(tx, companyId, credentialId);
    if (!old) throw unknownCredential(credentialId);
    if (hasEnded(credentialState(old, ctx.now)))
      throw rejection('credential_ended', 'This credential has ended; issue a new one.');
    const overlapEnd = new Date(ctx.now.getTime() + overlapHours * hourMs);
    const endsAt = old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await expireCredential(tx, companyId, credentialId, endsAt);
    const { environment, access, label } = old;
    const issued = await addCredential(tx, { companyId, environment, access, label, days }, ctx.now);
    const [newId, oldId] = [Number(issued.credentialId), Number(credentialId)];
    const details = { credential_id: newId, replaced_id: oldId, access, days, overlap_hours: overlapHours };
    return { result: { ...issued, endsAt }, audit: { action: 'credential.replaced', environment, details } };
  });
}
