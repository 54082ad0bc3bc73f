import { createHash } from 'node:crypto';
import type { Realm } from '../domain/realm.ts';
import type { Db } from './open.ts';
import type { Tx } from './transaction.ts';

/** What begins the keys of each kind of count in the table rate_limits. */
export const countPrefixes = (namespace: string) => ({
  /** By account, and by account and network address. */
  signIn: `${namespace}:sign-in`,
  address: `${namespace}:sign-in-address`,
  confirmation: `${namespace}:password-check`,
});

/** By the address typed, which may have no account. A digest, because what was typed may be long, and may be a password. */
export const accountKey = (realm: Realm, email: string): string =>
  `${realm}:${createHash('sha256').update(email).digest('base64url')}`;

export const confirmationKey = (realm: Realm, personId: bigint): string => `${realm}:${personId}`;

/** Forgets failed sign-ins of an account, from every network address, and failed confirmations of its password. */
export async function deleteSignInCounts(
  tx: Tx,
  namespace: string,
  { realm, email, personId }: { readonly realm: Realm; readonly email: string; readonly personId: bigint },
): Promise<void> {
  const { signIn, confirmation } = countPrefixes(namespace);
  const account = `${signIn}:${accountKey(realm, email)}`;
  await tx.$executeRaw`
    DELETE FROM rate_limits
     WHERE key IN (${account}, ${`${confirmation}:${confirmationKey(realm, personId)}`}) OR starts_with(key, ${`${account}:`})`;
}

const purgedAtOnce = 10_000;

/** Deletes counts whose window ended a minute ago. Rows that another process counts on or deletes are left to it. */
export async function purgeEndedCounts(db: Db, now: Date): Promise<void> {
  const before = now.getTime() - 60_000;
  let purged: number;
  do {
    purged = await db.$executeRaw`
      DELETE FROM rate_limits WHERE key IN
        (SELECT key FROM rate_limits WHERE expire < ${before}::bigint ORDER BY key LIMIT ${purgedAtOnce}::int
            FOR UPDATE SKIP LOCKED)`;
  } while (purged === purgedAtOnce);
}
