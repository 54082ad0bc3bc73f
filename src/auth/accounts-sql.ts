import { createHash } from 'node:crypto';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import type { Actor, Portal } from '../domain/actor.ts';
import { addressesMeant } from '../domain/person-address.ts';

export interface Account {
  readonly id: bigint;
  /** Null for an administrator. */
  readonly companyId: bigint | null;
  /** A company's user has one. */
  readonly role?: 'main' | 'sub';
  readonly passwordHash: string;
}

const account = { id: true, passwordHash: true } as const;
const userAccount = { ...account, companyId: true, role: true } as const;

/** The accounts of an address as typed: a company's user may have one in each company. Those with exactly this address come first. */
export async function findAccounts(tx: Tx, portal: Portal, typed: string): Promise<(Account & { email: string })[]> {
  const emails = addressesMeant(typed);
  const where = { email: { in: emails } };
  const order = { id: 'asc' } as const;
  const found =
    portal === 'company'
      ? await tx.user.findMany({ where, select: { ...userAccount, email: true }, orderBy: order })
      : (await tx.administrator.findMany({ where, select: { ...account, email: true }, orderBy: order })).map(
          (administrator) => ({ ...administrator, companyId: null }),
        );
  return emails.flatMap((email) => found.filter((one) => one.email === email));
}

/** A stored password of an address, of which another account of it takes the salt. */
export const passwordHashAt = async (tx: Tx, portal: Portal, typed: string): Promise<string | undefined> =>
  (await findAccounts(tx, portal, typed))[0]?.passwordHash;

export const findAccountById = (tx: Tx, portal: Portal, id: bigint): Promise<Account | null> =>
  findAccountWhere(tx, portal, { id });

/** The account of a link that sets a password, if the link has not ended. */
export const findAccountByLink = (tx: Tx, portal: Portal, linkHash: Uint8Array<ArrayBuffer>, now: Date) =>
  findAccountWhere(tx, portal, { linkHash, linkEndsAt: { gt: now } });

async function findAccountWhere(
  tx: Tx,
  portal: Portal,
  where: { id: bigint } | { linkHash: Uint8Array<ArrayBuffer>; linkEndsAt: { gt: Date } },
): Promise<Account | null> {
  if (portal === 'company') return tx.user.findUnique({ where, select: userAccount });
  const administrator = await tx.administrator.findUnique({ where, select: account });
  return administrator && { ...administrator, companyId: null };
}

/** Whether the account of an actor still exists, with its role. It stays so until this transaction ends. */
export async function isStillActor(tx: Tx, actor: Actor): Promise<boolean> {
  if (actor.kind !== 'user' && actor.kind !== 'administrator') return true;
  const accounts =
    actor.kind === 'user'
      ? await tx.$queryRaw<object[]>`
          SELECT FROM users WHERE id = ${actor.id} AND company_id = ${actor.companyId} AND role = ${actor.role}::role FOR SHARE`
      : await tx.$queryRaw<object[]>`SELECT FROM administrators WHERE id = ${actor.id} FOR SHARE`;
  return accounts.length > 0;
}

const userInCompany = {
  ...userAccount,
  email: true,
  company: { select: { id: true, name: true, suspendedAt: true, suspensionReason: true } },
} as const;

/** A user together with the company. */
export const findUser = (db: Db, id: bigint) => db.user.findUnique({ where: { id }, select: userInCompany });

interface NamedCompany {
  readonly id: bigint;
  readonly name: string;
}

/** How many companies of one address are named. Each is a part of one statement. */
export const namedMax = 50;

/** The companies of the first `namedMax` accounts, each with its account, by their names. */
export async function companiesOf<A extends Pick<Account, 'companyId'>>(
  db: Db,
  accounts: readonly A[],
): Promise<{ readonly account: A; readonly company: NamedCompany }[]> {
  if (accounts.length === 0) return [];
  // Of an array of companies, the nodes that `reachable` leaves out would be asked too.
  const first = accounts.slice(0, namedMax);
  const named = first.map(({ companyId }) => Prisma.sql`SELECT id, name FROM companies WHERE id = ${companyId}`);
  const companies = await db.$queryRaw<NamedCompany[]>`${Prisma.join(named, ' UNION ALL ')}`;
  const found = first.flatMap((account) => {
    const company = companies.find(({ id }) => id === account.companyId);
    return company ? [{ account, company }] : [];
  });
  return found.sort((one, other) => one.company.name.localeCompare(other.company.name));
}

export const findAdministrator = (db: Db, id: bigint) =>
  db.administrator.findUnique({ where: { id }, select: { ...account, email: true } });

/** Identifies an account's current password without revealing it, so that sessions end when the password changes. */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
