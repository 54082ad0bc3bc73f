import type { Role } from '../../generated/prisma/client.ts';
import type { Realm } from '../domain/realm.ts';
import type { Db } from './open.ts';
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

/** Far more than a company has, or a list of people can be read. */
const listedMax = 200;

/** The people of a company, in the order in which they were made; at most 200. */
export const listUsers = (tx: Tx, companyId: bigint): Promise<{ id: bigint; email: string; role: Role }[]> =>
  tx.user.findMany({
    where: { companyId },
    select: { id: true, email: true, role: true },
    orderBy: { id: 'asc' },
    take: listedMax,
  });

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

/** By address; at most 200. */
export const listAdministrators = (tx: Tx): Promise<{ id: bigint; email: string }[]> =>
  tx.administrator.findMany({ select: { id: true, email: true }, orderBy: { email: 'asc' }, take: listedMax });

export interface Account {
  readonly id: bigint;
  readonly passwordHash: string;
}

const account = { id: true, passwordHash: true } as const;

/** Who signs in with an address; `email` in lower case. */
export const findAccount = (db: Db, realm: Realm, email: string): Promise<Account | null> =>
  realm === 'company'
    ? db.user.findUnique({ where: { email }, select: account })
    : db.administrator.findUnique({ where: { email }, select: account });

/** One of a company's people, with how their company stands. */
export interface UserRecord {
  readonly id: bigint;
  readonly email: string;
  readonly role: Role;
  readonly company: { readonly id: bigint; readonly name: string; readonly suspendedAt: Date | null };
}

export const findUser = (db: Db, id: bigint): Promise<UserRecord | null> =>
  db.user.findUnique({
    where: { id },
    select: { id: true, email: true, role: true, company: { select: { id: true, name: true, suspendedAt: true } } },
  });

export const findAdministrator = (db: Db, id: bigint): Promise<{ id: bigint; email: string } | null> =>
  db.administrator.findUnique({ where: { id }, select: { id: true, email: true } });
