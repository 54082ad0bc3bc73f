import { createHash } from 'node:crypto';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import type { Portal } from '../domain/actor.ts';
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

/** Finds an account by the address as typed. */
export async function findAccount(tx: Tx, portal: Portal, typed: string): Promise<Account | null> {
  for (const email of addressesMeant(typed)) {
    const account = await findAccountWhere(tx, portal, { email });
    if (account) return account;
  }
  return null;
}

export const findAccountById = (tx: Tx, portal: Portal, id: bigint): Promise<Account | null> =>
  findAccountWhere(tx, portal, { id });

/** The account of a link that sets a password, if the link has not ended. */
export const findAccountByLink = (tx: Tx, portal: Portal, linkHash: Uint8Array<ArrayBuffer>, now: Date) =>
  findAccountWhere(tx, portal, { linkHash, linkEndsAt: { gt: now } });

async function findAccountWhere(
  tx: Tx,
  portal: Portal,
  where: { email: string } | { id: bigint } | { linkHash: Uint8Array<ArrayBuffer>; linkEndsAt: { gt: Date } },
): Promise<Account | null> {
  if (portal === 'company') return tx.user.findUnique({ where, select: userAccount });
  const administrator = await tx.administrator.findUnique({ where, select: account });
  return administrator && { ...administrator, companyId: null };
}

/** A user together with the company. */
export const findUser = (db: Db, id: bigint) =>
  db.user.findUnique({
    where: { id },
    select: {
      ...userAccount,
      email: true,
      company: { select: { id: true, name: true, suspendedAt: true } },
    },
  });

export const findAdministrator = (db: Db, id: bigint) =>
  db.administrator.findUnique({ where: { id }, select: { ...account, email: true } });

/** Identifies an account's current password without revealing it, so that sessions end when the password changes. */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
