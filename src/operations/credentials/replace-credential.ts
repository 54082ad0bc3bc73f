import { expireCredential, findCredential } from '../../queries/credential-admin.ts';
import { wholeNumberOf } from '../check-input.ts';
import { ActionError, unknownCredential } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';
import { addCredential, credentialDays, type IssuedCredential } from './issue-credential.ts';
import { credentialState, hasEnded } from './list-credentials.ts';
import type { CredentialName } from './revoke-credential.ts';

/** The longest time for which a replaced credential goes on beside the new one: 30 days. */
const overlapHoursMax = 720;
const hourMs = 3_600_000;

export interface Replacement extends CredentialName {
  /** How long the old one still works; 0 ends it now. It never lasts longer than it would have. */
  readonly overlapHours: number;
  /** Validity of the new one from now; left out, 365. */
  readonly days?: number | undefined;
}

export interface ReplacedCredential extends IssuedCredential {
  /** Of the old one. */
  readonly endsAt: Date;
}

/**
 * Issues a credential of the same environment, access and label, and lets the old one end after the overlap, in which both count
 * towards the five. Refuses with `unknown_company`, `unknown_credential`, `invalid_input`, `credential_limit`, and with
 * `credential_ended` one that has ended.
 */
export function replaceCredential(ctx: ActionContext, request: Replacement): Promise<ReplacedCredential> {
  const { companyId, credentialId } = request;
  const overlapHours = wholeNumberOf('overlapHours', request.overlapHours, 0, overlapHoursMax);
  const days = credentialDays(request.days);
  return recordedFor(ctx, companyId, async (tx) => {
    const old = await findCredential(tx, companyId, credentialId);
    if (!old) throw unknownCredential(credentialId);
    if (hasEnded(credentialState(old, ctx.now)))
      throw new ActionError('credential_ended', 'This credential has ended; issue a new one.');
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
