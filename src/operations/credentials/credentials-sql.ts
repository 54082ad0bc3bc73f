import type { Credential } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Tenant } from '../../domain/environment.ts';

export type NewCredential = Omit<Credential, 'id' | 'revokedAt' | 'lastUsedAt' | 'replacedBy'>;

/** The rule of isValidCredential as a query condition. */
const validAt = (now: Date) => ({ revokedAt: null, expiresAt: { gt: now } });

/** Counts credentials that are neither revoked nor expired. */
export const countValidCredentials = (tx: Tx, { companyId, environment }: Tenant, now: Date): Promise<number> =>
  tx.credential.count({ where: { companyId, environment, ...validAt(now) } });

/** A credential without its hash. */
export type CredentialRow = Omit<Credential, 'companyId' | 'secretHash'>;

const shownCredential = {
  id: true,
  environment: true,
  access: true,
  label: true,
  lastFour: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  replacedBy: true,
} as const;

/** The most ended credentials that a list shows. There are always fewer valid ones: see validCredentialsMax. */
const listedMax = 50;

/** Lists a company's credentials of both environments, newest first: all valid ones, and the latest ended ones. */
export async function listCredentials(
  tx: Tx,
  companyId: bigint,
  now: Date,
): Promise<{ valid: CredentialRow[]; ended: CredentialRow[] }> {
  const valid = validAt(now);
  const all = { select: shownCredential, orderBy: { id: 'desc' }, take: listedMax } as const;
  return {
    valid: await tx.credential.findMany({ where: { companyId, ...valid }, ...all }),
    ended: await tx.credential.findMany({ where: { companyId, NOT: valid }, ...all }),
  };
}

export async function findCredential(tx: Tx, companyId: bigint, id: bigint): Promise<CredentialRow | undefined> {
  return (await tx.credential.findFirst({ where: { companyId, id }, select: shownCredential })) ?? undefined;
}

export async function insertCredential(tx: Tx, credential: NewCredential): Promise<bigint> {
  const { id } = await tx.credential.create({ data: credential, select: { id: true } });
  return id;
}

export async function changeCredential(
  tx: Tx,
  companyId: bigint,
  id: bigint,
  columns: Partial<Pick<Credential, 'expiresAt' | 'revokedAt' | 'replacedBy'>>,
): Promise<void> {
  await tx.credential.updateMany({ where: { companyId, id }, data: columns });
}

/** Finds the company of a credential. Reads the whole table, because no index begins with the id. Only for the operator. */
export async function findCredentialOwner(tx: Tx, id: bigint): Promise<bigint | undefined> {
  const credential = await tx.credential.findFirst({ where: { id }, select: { companyId: true } });
  return credential?.companyId;
}
