import { createHash } from 'node:crypto';
import type { Db } from '../database/open.ts';
import type { Tx } from '../database/transaction.ts';
import type { Portal } from '../domain/actor.ts';
import { personAddress } from '../domain/person-address.ts';

/** The key of a typed address, with or without an account. Hashed, because people also type long texts and passwords. */
export const emailKey = (portal: Portal, email: string): string =>
  `vaga:sign-in:${portal}:${createHash('sha256').update(personAddress(email)).digest('base64url')}`;

export const accountKey = (portal: Portal, id: bigint): string => `vaga:sign-in-account:${portal}:${id}`;

export const addressCountKey = (address: string): string => `vaga:sign-in-address:${address}`;

export const triesKey = (address: string): string => `vaga:sign-in-tries:${address}`;

export const confirmationKey = (portal: Portal, personId: bigint): string =>
  `vaga:password-check:${portal}:${personId}`;

/**
 * Deletes an account's failed sign-ins, from every network address, and failed confirmations of its password. Returns whether there were any.
 */
export async function deleteSignInCounts(
  tx: Tx,
  { portal, email, personId }: { readonly portal: Portal; readonly email: string; readonly personId: bigint },
): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    DELETE FROM rate_limits WHERE starts_with(key, ${`${emailKey(portal, email)}:`})
       OR starts_with(key, ${`${accountKey(portal, personId)}:`}) OR key = ${confirmationKey(portal, personId)}`;
  return deleted > 0;
}

/** Returns the e-mail addresses of the people who cannot sign in, or confirm a password, because of `triesMax` failures. */
export async function lockedAmong(
  db: Db,
  portal: Portal,
  people: readonly { readonly id: bigint; readonly email: string }[],
  triesMax: number,
): Promise<ReadonlySet<string>> {
  const keysOf = people.map(({ id, email }) => [
    emailKey(portal, email),
    accountKey(portal, id),
    confirmationKey(portal, id),
  ]);
  // Failed sign-ins are counted per network address, which is the last part of the key.
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT DISTINCT substring(key FROM '^(?:[^:]*:){3}[^:]*') AS key FROM rate_limits
     WHERE points >= ${triesMax}::int AND expire > extract(epoch FROM clock_timestamp()) * 1000
       AND substring(key FROM '^(?:[^:]*:){3}[^:]*') = ANY (${keysOf.flat()}::text[])`;
  const full = new Set(rows.map(({ key }) => key));
  return new Set(people.filter((_, at) => keysOf[at]?.some((key) => full.has(key))).map(({ email }) => email));
}

const purgedAtOnce = 10_000;

/** Deletes counters whose window ended a minute ago by the database's clock, and skips rows that another process has locked. */
export async function purgeEndedCounts(db: Db): Promise<void> {
  let purged: number;
  do {
    purged = await db.$executeRaw`
      DELETE FROM rate_limits WHERE key IN
        (SELECT key FROM rate_limits WHERE expire < extract(epoch FROM now() - interval '1 minute') * 1000
          ORDER BY key LIMIT ${purgedAtOnce}::int FOR UPDATE SKIP LOCKED)`;
  } while (purged === purgedAtOnce);
}
