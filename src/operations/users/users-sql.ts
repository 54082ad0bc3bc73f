import type { Prisma, Role } from '../../../generated/prisma/client.ts';
import type { Tx } from '../../database/transaction.ts';
import type { Portal } from '../../domain/actor.ts';
import type { Page } from '../kit/clauses-sql.ts';

export interface NewPerson {
  /** Lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly linkHash: Uint8Array<ArrayBuffer> | null;
  readonly linkEndsAt: Date | null;
  readonly createdAt: Date;
}

export async function hasMainAccount(tx: Tx, companyId: bigint): Promise<boolean> {
  return (await tx.user.findFirst({ where: { companyId, role: 'main' }, select: { id: true } })) !== null;
}

/** The limit on a company's accounts, including the main account. */
export const accountsMax = 200;

export const countUsers = (tx: Tx, companyId: bigint): Promise<number> => tx.user.count({ where: { companyId } });

interface UserRow {
  readonly id: bigint;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** Lists the people of a company by id. */
export const listUsers = (tx: Tx, companyId: bigint): Promise<UserRow[]> =>
  tx.user.findMany({
    where: { companyId },
    select: { id: true, email: true, role: true, createdAt: true },
    orderBy: { id: 'asc' },
    take: accountsMax,
  });

interface AdministratorRow {
  readonly administratorId: bigint;
  readonly email: string;
  readonly createdAt: Date;
}

/** Lists one page of administrators by id. */
export async function listAdministrators(
  tx: Tx,
  { page, perPage }: Page,
): Promise<{ items: AdministratorRow[]; total: number }> {
  const range = { orderBy: { id: 'asc' }, skip: (page - 1) * perPage, take: perPage } as const;
  const items = await tx.administrator.findMany({ select: { id: true, email: true, createdAt: true }, ...range });
  const total = await tx.administrator.count();
  return { items: items.map(({ id, ...row }) => ({ administratorId: id, ...row })), total };
}

/** Returns an administrator's position, from 1, in the order of listAdministrators. */
export const placeOfAdministrator = (tx: Tx, id: bigint): Promise<number> =>
  tx.administrator.count({ where: { id: { lte: id } } });

/** Throws a unique violation if the company already has an account with the address. */
export async function insertUser(tx: Tx, user: NewPerson & { companyId: bigint; role: Role }): Promise<bigint> {
  const { id } = await tx.user.create({ data: user, select: { id: true } });
  return id;
}

/** Throws a unique violation if the address is taken. */
export async function insertAdministrator(tx: Tx, administrator: NewPerson): Promise<bigint> {
  const { id } = await tx.administrator.create({ data: administrator, select: { id: true } });
  return id;
}

/** Replaces the password and the link of an account. Returns false if the account no longer meets `where`. */
export async function replacePassword(
  tx: Tx,
  portal: Portal,
  where: Prisma.AdministratorWhereInput & Prisma.UserWhereInput,
  data: Omit<NewPerson, 'email' | 'createdAt'>,
): Promise<boolean> {
  const change = { where, data };
  const { count } = await (portal === 'company' ? tx.user.updateMany(change) : tx.administrator.updateMany(change));
  return count > 0;
}

/** Counts the administrators and locks them until the transaction ends, so that simultaneous removals see each other's result. */
export const lockAdministrators = async (tx: Tx): Promise<number> =>
  (await tx.$queryRaw<object[]>`SELECT id FROM administrators ORDER BY id FOR UPDATE`).length;

/** Returns false if there is no such account. */
export async function deleteAccount(tx: Tx, portal: Portal, id: bigint): Promise<boolean> {
  const where = { id };
  const { count } = await (portal === 'company'
    ? tx.user.deleteMany({ where })
    : tx.administrator.deleteMany({ where }));
  return count > 0;
}

export async function hasAdministrators(tx: Tx): Promise<boolean> {
  return (await tx.administrator.findFirst({ select: { id: true } })) !== null;
}
