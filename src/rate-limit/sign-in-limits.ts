import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { accountKey, confirmationKey, countPrefixes } from '../queries/sign-in-counts.ts';
import { consume, rateLimitsTable } from './limit-backend.ts';

const windowSeconds = 15 * 60;
const addressTriesMax = 30;
const pairTriesMax = 10;
const accountTriesMax = 100;
const confirmationTriesMax = 10;

/**
 * Failed sign-ins by network address, by account and address, and by account, which may be unknown; and failed confirmations of a
 * signed-in person's password. Always counted in the database, where the operator's command line can reset them. Rejects while the
 * database is away: a sign-in needs it anyway.
 */
export class SignInLimits {
  readonly #addresses: RateLimiterPostgres;
  readonly #pairs: RateLimiterPostgres;
  readonly #accounts: RateLimiterPostgres;
  readonly #confirmations: RateLimiterPostgres;

  constructor(db: Db, namespace: string) {
    const prefixes = countPrefixes(namespace);
    this.#addresses = counter(db, prefixes.address, addressTriesMax);
    this.#pairs = counter(db, prefixes.signIn, pairTriesMax);
    this.#accounts = counter(db, prefixes.signIn, accountTriesMax);
    this.#confirmations = counter(db, prefixes.confirmation, confirmationTriesMax);
  }

  /**
   * Counts a try before the password is looked at, so that simultaneous ones count too. Seconds to wait; 0 lets it pass. What is
   * refused by one count is not added to the next: an address cannot use up the tries of accounts from which it is barred.
   */
  async consume(portal: Portal, email: string, address: string): Promise<number> {
    const account = accountKey(portal, email);
    return (
      (await secondsToWait(this.#addresses, address)) ||
      (await secondsToWait(this.#pairs, pairKey(account, address))) ||
      (await secondsToWait(this.#accounts, account))
    );
  }

  /** Forgets a try that was right, and the failures before it from this address. */
  async forgive(portal: Portal, email: string, address: string): Promise<void> {
    const account = accountKey(portal, email);
    await Promise.all([
      this.#addresses.reward(address, 1),
      this.#pairs.delete(pairKey(account, address)),
      this.#accounts.reward(account, 1),
    ]);
  }

  /** Counts a confirmation of a person's password; false where there were too many wrong ones. */
  async consumeConfirmation(portal: Portal, personId: bigint): Promise<boolean> {
    return (await secondsToWait(this.#confirmations, confirmationKey(portal, personId))) === 0;
  }

  async forgiveConfirmations(portal: Portal, personId: bigint): Promise<void> {
    await this.#confirmations.delete(confirmationKey(portal, personId));
  }
}

const pairKey = (account: string, address: string): string => `${account}:${address}`;

/** Seconds until the window ends where it is used up, else 0. */
async function secondsToWait(limiter: RateLimiterPostgres, key: string): Promise<number> {
  const { refused, seconds } = await consume(limiter, key, 1);
  return refused ? seconds : 0;
}

/** Without the library's block in memory, which a reset in the database would not lift. */
const counter = (db: Db, keyPrefix: string, points: number): RateLimiterPostgres =>
  new RateLimiterPostgres({
    ...rateLimitsTable,
    keyPrefix,
    points,
    duration: windowSeconds,
    storeClient: { query: async (statement: Statement) => ({ rows: await db.rows(statement) }) },
  });

/** The library names its statements too, which the embedded database's connections cannot share. */
interface Statement {
  readonly text: string;
  readonly values: unknown[];
}
