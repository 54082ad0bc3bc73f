import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Access } from '../../domain/actor.ts';
import type { Tenant } from '../../domain/environment.ts';
import { rejection } from '../../domain/errors.ts';
import { hashSecret, makeSecret } from '../../domain/token.ts';
import { countValidCredentials, insertCredential } from '../../queries/credentials.ts';
import { lineOf, wholeNumberOf } from '../check-input.ts';
import { recordedFor } from '../recorded.ts';

/** Sections 5.5 and 5.7. */
export const credentialDaysMax = 365;
const validCredentialsMax = 5;
const dayMs = 86_400_000;

interface CredentialRequest extends Tenant {
  readonly access: Access;
  /** Days from now; 365 if absent. */
  readonly days?: number | undefined;
  /** The company's own name for it. */
  readonly label?: string | undefined;
}

export interface IssuedCredential {
  readonly credentialId: bigint;
  /** Known only here: the database stores its hash. */
  readonly secret: string;
  readonly expiresAt: Date;
}

/**
 * Issues a credential; one for production may be issued before approval. Throws `unknown_company`, `invalid_input`, and
 * `credential_limit` for a sixth valid credential of one environment, also when several are issued at the same time.
 */
export function issueCredential(ctx: Context, request: CredentialRequest): Promise<IssuedCredential> {
  const { companyId, environment, access } = request;
  const days = credentialDays(request.days);
  const label = request.label === undefined ? `${environment} ${access}` : lineOf('label', request.label, 100);
  return recordedFor(ctx, companyId, async (tx) => {
    const issued = await addCredential(tx, { companyId, environment, access, label, days }, ctx.now);
    const details = { credential_id: Number(issued.credentialId), access, days };
    return { result: issued, audit: { action: 'credential.issued', environment, details } };
  });
}

/** Throws `invalid_input`. */
export const credentialDays = (days = credentialDaysMax): number => wholeNumberOf('days', days, 1, credentialDaysMax);

type NewCredential = Required<CredentialRequest> & { readonly days: number; readonly label: string };

/** For a transaction that has locked the company. Throws `credential_limit`. */
export async function addCredential(tx: Tx, { days, ...wanted }: NewCredential, now: Date): Promise<IssuedCredential> {
  if ((await countValidCredentials(tx, wanted, now)) >= validCredentialsMax)
    throw rejection(
      'credential_limit',
      `A company has at most ${validCredentialsMax} valid ${wanted.environment} credentials.`,
    );
  const secret = makeSecret(wanted, randomBytes(24));
  const expiresAt = new Date(now.getTime() + days * dayMs);
  const columns = { ...wanted, createdAt: now, expiresAt, secretHash: hashSecret(secret), lastFour: secret.slice(-4) };
  return { credentialId: await insertCredential(tx, columns), secret, expiresAt };
}
