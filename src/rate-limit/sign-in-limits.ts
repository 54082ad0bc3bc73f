import type { Db } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { databaseStore, type LimitStore } from './limit-store.ts';
import { accountKey, addressCountKey, confirmationKey } from './sign-in-counts-sql.ts';

export const windowMinutes = 15;
const addressTriesMax = 30;
/** For an account (existing or not) from one address, and for a person who is signed in. */
const passwordTriesMax = 10;

/**
 * Limits failed passwords per address, and per account and address: nobody else's failures lock a person out. Always counted in the
 * database, so that the command line can reset them.
 */
export class SignInLimits {
  readonly #store: LimitStore;

  constructor(db: Db) {
    this.#store = databaseStore(db, windowMinutes * 60);
  }

  /**
   * Counts an attempt before the password is checked, so that simultaneous ones count too. Returns the seconds to wait, or 0. An attempt
   * refused by one limit does not count against the next, so a blocked address cannot use up an account's attempts.
   */
  async consume(portal: Portal, email: string, address: string): Promise<number> {
    return (
      (await this.#secondsToWait(addressCountKey(address), addressTriesMax)) ||
      (await this.#secondsToWait(pairKey(portal, email, address), passwordTriesMax))
    );
  }

  /** Undoes the count of a successful attempt, and clears the failures of this account and address. */
  async forgive(portal: Portal, email: string, address: string): Promise<void> {
    await this.#store.add(addressCountKey(address), -1);
    await this.#store.clear(pairKey(portal, email, address));
  }

  /** Counts a password confirmation; false after too many failures. */
  async consumeConfirmation(portal: Portal, personId: bigint): Promise<boolean> {
    return (await this.#secondsToWait(confirmationKey(portal, personId), passwordTriesMax)) === 0;
  }

  async forgiveConfirmations(portal: Portal, personId: bigint): Promise<void> {
    await this.#store.clear(confirmationKey(portal, personId));
  }

  /** Seconds until the window ends if the limit is exceeded, else 0. */
  async #secondsToWait(key: string, triesMax: number): Promise<number> {
    const { points, seconds } = await this.#store.add(key, 1);
    return points > triesMax ? seconds : 0;
  }
}

const pairKey = (portal: Portal, email: string, address: string): string => `${accountKey(portal, email)}:${address}`;
