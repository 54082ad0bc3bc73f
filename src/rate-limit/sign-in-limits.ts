import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { accountKey, confirmationKey, countPrefixes } from '../queries/sign-in-counts.ts';
import { consume, DatabaseLimiter } from './limit-backend.ts';

const windowSeconds = 15 * 60;
const addressTriesMax = 30;
const pairTriesMax = 10;
const accountTriesMax = 100;
const confirmationTriesMax = 10;

/**
 * Limits failed sign-ins per address, per account and address, and per account (existing or not), and failed password confirmations per
 * signed-in person. Always counted in the database, so that the command line can reset them.
 */
export class SignInLimits {
  readonly #addresses: DatabaseLimiter;
  readonly #pairs: DatabaseLimiter;
  readonly #accounts: DatabaseLimiter;
  readonly #confirmations: DatabaseLimiter;

  constructor(db: Db, namespace: string) {
    const prefixes = countPrefixes(namespace);
    this.#addresses = counter(db, prefixes.address, addressTriesMax);
    this.#pairs = counter(db, prefixes.signIn, pairTriesMax);
    this.#accounts = counter(db, prefixes.signIn, accountTriesMax);
    this.#confirmations = counter(db, prefixes.confirmation, confirmationTriesMax);
  }

  /**
   * Counts an attempt before the password is checked, so that simultaneous ones count too. Returns the seconds to wait, or 0. An attempt
   * refused by one limit does not count against the next, so a blocked address cannot use up an account's attempts.
   */
  async consume(portal: Portal, email: string, address: string): Promise<number> {
    const account = accountKey(portal, email);
    return (
      (await secondsToWait(this.#addresses, address)) ||
      (await secondsToWait(this.#pairs, pairKey(account, address))) ||
      (await secondsToWait(this.#accounts, account))
    );
  }

  /** Undoes the count of a successful attempt, and clears the failures of this account and address. */
  async forgive(portal: Portal, email: string, address: string): Promise<void> {
    const account = accountKey(portal, email);
    await this.#addresses.reward(address, 1);
    await this.#pairs.delete(pairKey(account, address));
    await this.#accounts.reward(account, 1);
  }

  /** Counts a password confirmation; false after too many failures. */
  async consumeConfirmation(portal: Portal, personId: bigint): Promise<boolean> {
    return (await secondsToWait(this.#confirmations, confirmationKey(portal, personId))) === 0;
  }

  async forgiveConfirmations(portal: Portal, personId: bigint): Promise<void> {
    await this.#confirmations.delete(confirmationKey(portal, personId));
  }
}

const pairKey = (account: string, address: string): string => `${account}:${address}`;

/** Seconds until the window ends if the limit is exceeded, else 0. */
async function secondsToWait(limiter: DatabaseLimiter, key: string): Promise<number> {
  const { refused, seconds } = await consume(limiter, key, 1);
  return refused ? seconds : 0;
}

/** No in-memory block: a reset in the database would not lift it. */
const counter = (db: Db, keyPrefix: string, points: number): DatabaseLimiter =>
  new DatabaseLimiter(
    // Without the statement's name: connections of the embedded database share one backend.
    async ({ text, values = [] }) => ({ rows: await db.rows({ text, values }) }),
    { keyPrefix, points, duration: windowSeconds },
  );
