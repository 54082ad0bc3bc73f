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
  /** Absent for an administrator. */
  readonly role?: 'main' | 'sub';
  readonly passwordHash: string;
}

const account = { id: true, passwordHash: true } as const;
const userAccount = { ...account, companyId: true, role: true } as const;

/** Finds the accounts that a typed address may mean; a person may have one in each company. Accounts with the typed spelling come first. */
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

/** Returns the password hash of an account with this address, if there is one. A new account with this address must use the hash's salt. */
export const passwordHashAt = async (tx: Tx, portal: Portal, typed: string): Promise<string | undefined> =>
  (await findAccounts(tx, portal, typed))[0]?.passwordHash;

export const findAccountById = (tx: Tx, portal: Portal, id: bigint): Promise<Account | null> =>
  findAccountWhere(tx, portal, { id });

/** Finds the account of a link that sets a password, if the link has not expired. */
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

/** Whether an actor's account still exists with the same role. Locks the account, so that this stays true until the transaction ends. */
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

/** Finds a user together with the user's company. */
export const findUser = (db: Db, id: bigint) => db.user.findUnique({ where: { id }, select: userInCompany });

interface NamedCompany {
  readonly id: bigint;
  readonly name: string;
}

/** The most companies that `companiesOf` looks up. Each company adds a SELECT to the statement. */
export const namedMax = 50;

/** Returns the first `namedMax` accounts, each with its company, sorted by the company's name. Skips companies that are not found. */
export async function companiesOf<A extends Pick<Account, 'companyId'>>(
  db: Db,
  accounts: readonly A[],
): Promise<{ readonly account: A; readonly company: NamedCompany }[]> {
  if (accounts.length === 0) return [];
  // One SELECT per company: given an array of ids, the coordinator would also query the nodes that `reachable` leaves out.
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
