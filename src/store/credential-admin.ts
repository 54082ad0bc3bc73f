import type { Credential } from '../../generated/prisma/client.ts';
import type { Tenant } from '../domain/environment.ts';
import type { Tx } from './transaction.ts';

export type NewCredential = Omit<Credential, 'id' | 'revokedAt' | 'lastUsedAt'>;

/** Credentials that are neither revoked nor expired, used or not. */
export const countValidCredentials = (tx: Tx, { companyId, environment }: Tenant, now: Date): Promise<number> =>
  tx.credential.count({ where: { companyId, environment, revokedAt: null, expiresAt: { gt: now } } });

export async function insertCredential(tx: Tx, credential: NewCredential): Promise<bigint> {
  const { id } = await tx.credential.create({ data: credential, select: { id: true } });
  return id;
}

/** The first revocation stands: a later one answers with its time. Undefined where the company has no such credential. */
export async function revokeCredential(
  tx: Tx,
  companyId: bigint,
  id: bigint,
  now: Date,
): Promise<(Pick<Credential, 'environment'> & { revokedAt: Date; changed: boolean }) | undefined> {
  const credential = await tx.credential.findFirst({
    where: { companyId, id },
    select: { environment: true, revokedAt: true },
  });
  if (!credential) return undefined;
  const { environment, revokedAt } = credential;
  if (revokedAt) return { environment, revokedAt, changed: false };
  await tx.credential.updateMany({ where: { companyId, id, revokedAt: null }, data: { revokedAt: now } });
  return { environment, revokedAt: now, changed: true };
}

/** For an operator, who knows the id alone: no index begins with it, so this reads the table. */
export async function findCredentialOwner(tx: Tx, id: bigint): Promise<bigint | undefined> {
  const credential = await tx.credential.findFirst({ where: { id }, select: { companyId: true } });
  return credential?.companyId;
}
