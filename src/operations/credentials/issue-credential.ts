import { randomBytes } from 'node:crypto';
import type { Tx } from '../../database/transaction.ts';
import type { Access } from '../../domain/actor.ts';
import type { Tenant } from '../../domain/environment.ts';
import { hashSecret, makeSecret } from '../../domain/token.ts';
import { countValidCredentials, insertCredential } from '../../queries/credential-admin.ts';
import { lineOf, wholeNumberOf } from '../check-input.ts';
import { ActionError } from '../errors.ts';
import { type ActionContext, recordedFor } from '../recorded.ts';

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

/** Sections 5.5 and 5.7. */
export const credentialDaysMax = 365;
const validCredentialsMax = 5;
const dayMs = 86_400_000;

export interface IssuedCredential {
  readonly credentialId: bigint;
  /** Known only here and now: the database keeps its hash. */
  readonly secret: string;
  readonly expiresAt: Date;
}

export interface NewCredential extends Tenant {
  readonly access: Access;
  readonly label: string;
  readonly days: number;
}

/** Refuses with `invalid_input` a validity that is none. */
export const credentialDays = (days = credentialDaysMax): number => wholeNumberOf('days', days, 1, credentialDaysMax);

/** Within a transaction that has locked the company. Refuses with `credential_limit` a sixth valid one of the environment. */
export async function addCredential(tx: Tx, { days, ...wanted }: NewCredential, now: Date): Promise<IssuedCredential> {
  if ((await countValidCredentials(tx, wanted, now)) >= validCredentialsMax)
    throw new ActionError(
      'credential_limit',
      `A company has at most ${validCredentialsMax} valid ${wanted.environment} credentials.`,
    );
  const secret = makeSecret(wanted, randomBytes(24));
  const expiresAt = new Date(now.getTime() + days * dayMs);
  const columns = { ...wanted, createdAt: now, expiresAt, secretHash: hashSecret(secret), lastFour: secret.slice(-4) };
  return { credentialId: await insertCredential(tx, columns), secret, expiresAt };
}
