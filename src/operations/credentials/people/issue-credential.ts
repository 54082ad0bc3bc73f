import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Tx } from '../../../database/transaction.ts';
import type { Access } from '../../../domain/actor.ts';
import { dayMs } from '../../../domain/dates.ts';
import type { Environment, Tenant } from '../../../domain/environment.ts';
import { rejection } from '../../../domain/errors.ts';
import { hashSecret, makeSecret } from '../../../domain/token.ts';
import { declare } from '../../kit/declare.ts';
import { choice, companyId, environment, line, wholeNumber } from '../../kit/fields.ts';
import { recordedFor } from '../../kit/recorded.ts';
import { countValidCredentials, insertCredential } from '../credentials-sql.ts';

/** Sections 5.5 and 5.7. */
export const credentialDaysMax = 365;
export const validCredentialsMax = 5;

export interface IssuedCredential {
  readonly credentialId: bigint;
  readonly environment: Environment;
  /** Returned only here, because the database stores only its hash. */
  readonly secret: string;
  readonly expiresAt: Date;
}

export const accessLabels = { read: 'Read', write: 'Read and write' };

export const days = () =>
  wholeNumber(1, credentialDaysMax)
    .default(credentialDaysMax)
    .meta({ label: 'Days until it expires', hint: { text: '{{max}} at most.', params: { max: credentialDaysMax } } });

/**
 * Issues a credential. A production credential may be issued before approval. Throws `unknown_company`, `invalid_input`, and
 * `credential_limit` beyond validCredentialsMax in one environment, even when several are issued at the same time.
 */
export const issueCredential = declare({
  command: 'credential issue',
  title: 'Issue a credential',
  by: ['operator', 'main account'],
  records: 'credential.issued',
  input: z.object({
    companyId: companyId(),
    label: line(100).optional().meta({ label: 'Label', hint: 'For example: careers site', requiredOf: 'user' }),
    environment: environment().meta({
      hint: 'A sandbox credential works once your company is verified, a production credential once it has access to production.',
    }),
    access: choice(['read', 'write']).meta({ label: 'Access', valueLabels: accessLabels }),
    days: days(),
  }),
  subject: async () => ({ values: { environment: 'sandbox', access: 'write' } }),
  done: 'credential {{credential_id}}, until {{expiresAt}}; keep its secret, it is not shown again:\n{{secret}}',
  run: (ctx, { companyId, environment, access, days, label = `${environment} ${access}` }) =>
    recordedFor(ctx, companyId, async (tx) => {
      const issued = await addCredential(tx, { companyId, environment, access, label, days }, ctx.now);
      const details = { credential_id: Number(issued.credentialId), access, days };
      return { result: issued, audit: { environment, details } };
    }),
  shows: ({ credentialId, secret }) => ({ credential_id: credentialId, secret }),
});

interface NewCredential extends Tenant {
  readonly access: Access;
  readonly label: string;
  readonly days: number;
}

/** Inserts a credential. Requires a transaction that has locked the company. Throws `credential_limit`. */
export async function addCredential(tx: Tx, { days, ...wanted }: NewCredential, now: Date): Promise<IssuedCredential> {
  if ((await countValidCredentials(tx, wanted, now)) >= validCredentialsMax)
    throw rejection(
      'credential_limit',
      `A company has at most ${validCredentialsMax} valid ${wanted.environment} credentials.`,
      undefined,
      { limit: validCredentialsMax },
    );
  const secret = makeSecret(wanted, randomBytes(24));
  const expiresAt = new Date(now.getTime() + days * dayMs);
  const columns = { ...wanted, createdAt: now, expiresAt, secretHash: hashSecret(secret), lastFour: secret.slice(-4) };
  return { credentialId: await insertCredential(tx, columns), environment: wanted.environment, secret, expiresAt };
}
