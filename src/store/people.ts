import type { Role } from '../../generated/prisma/client.ts';
import type { Tx } from './transaction.ts';

export interface NewPerson {
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

export async function hasMainAccount(tx: Tx, companyId: bigint): Promise<boolean> {
  return (await tx.user.findFirst({ where: { companyId, role: 'main' }, select: { id: true } })) !== null;
}

/** Throws a unique violation where the address is taken, by whichever company. */
export async function insertUser(tx: Tx, user: NewPerson & { companyId: bigint; role: Role }): Promise<bigint> {
  const { id } = await tx.user.create({ data: user, select: { id: true } });
  return id;
}

/** Throws a unique violation where the address is taken. */
export async function insertAdministrator(tx: Tx, administrator: NewPerson): Promise<bigint> {
  const { id } = await tx.administrator.create({ data: administrator, select: { id: true } });
  return id;
}

export const listAdministrators = (tx: Tx): Promise<{ id: bigint; email: string }[]> =>
  tx.administrator.findMany({ select: { id: true, email: true }, orderBy: { email: 'asc' } });
