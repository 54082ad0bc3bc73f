import { randomBytes } from 'node:crypto';
import type { Access } from '../domain/caller.ts';
import type { Tenant } from '../domain/environment.ts';
import { hashSecret, makeSecret } from '../domain/token.ts';
import { countValidCredentials, insertCredential } from '../store/credential-admin.ts';
import { lineOf, wholeNumberOf } from './check-input.ts';
import { type ActionContext, recordedFor } from './context.ts';
import { ActionError } from './errors.ts';

/** Sections 5.5 and 5.7. */
export const credentialDaysMax = 365;
const validCredentialsMax = 5;
const dayMs = 86_400_000;

export interface CredentialRequest extends Tenant {
  readonly access: Access;
  /** From now; left out, 365. */
  readonly days?: number | undefined;
  /** What the company calls it. */
  readonly label?: string | undefined;
}

export interface IssuedCredential {
  readonly credentialId: bigint;
  /** Known only here and now: the database keeps its hash. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Refuses with `unknown_company`, `invalid_input`, and with `credential_limit` a sixth credential of one environment that is
 * neither revoked nor expired, also when issued at the same time. A production credential may be issued before approval.
 */
export function issueCredential(ctx: ActionContext, request: CredentialRequest): Promise<IssuedCredential> {
  const { companyId, environment, access } = request;
  const days = wholeNumberOf('days', request.days ?? credentialDaysMax, 1, credentialDaysMax);
  const label = request.label === undefined ? `${environment} ${access}` : lineOf('label', request.label, 100);
  const expiresAt = new Date(ctx.now.getTime() + days * dayMs);
  return recordedFor(ctx, companyId, async (tx) => {
    if ((await countValidCredentials(tx, request, ctx.now)) >= validCredentialsMax)
      throw new ActionError(
        'credential_limit',
        `A company has at most ${validCredentialsMax} valid ${environment} credentials.`,
      );
    const secret = makeSecret(request, randomBytes(24));
    const columns = { companyId, environment, access, label, createdAt: ctx.now, expiresAt };
    const hashed = { secretHash: hashSecret(secret), lastFour: secret.slice(-4) };
    const credentialId = await insertCredential(tx, { ...columns, ...hashed });
    const details = { credential_id: Number(credentialId), access, days };
    return {
      result: { credentialId, secret, expiresAt },
      audit: { action: 'credential.issued', environment, details },
    };
  });
}
