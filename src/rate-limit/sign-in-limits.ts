import { type Db, rowsBy } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { databaseStore, type SharedLimitStore } from './limit-store.ts';
import { accountKey, addressCountKey, confirmationKey } from './sign-in-counts-sql.ts';

export const windowMinutes = 15;
const addressTriesMax = 30;
/** The most failures for an account (existing or not) from one address, and for a signed-in person who confirms the password. */
export const passwordTriesMax = 10;

/**
 * Limits failed passwords per address, and per account and address, so that one person's failures do not lock out another. Successes are
 * not counted. Always counts in the database, so that the command line can reset the counters.
 */
export class SignInLimits {
  readonly #store: SharedLimitStore;

  constructor(db: Db) {
    this.#store = databaseStore(rowsBy(db), windowMinutes * 60);
  }

  /** Seconds to wait before a password is checked, or 0. */
  async secondsToWait(portal: Portal, email: string, address: string): Promise<number> {
    const keys = [addressCountKey(address), pairKey(portal, email, address)];
    const [ofAddress, ofPair] = await this.#store.read(...keys);
    if (ofAddress && ofAddress.points >= addressTriesMax) return ofAddress.seconds;
    return ofPair && ofPair.points >= passwordTriesMax ? ofPair.seconds : 0;
  }

  /**
   * Counts a failed attempt. Returns 0, or the seconds to wait if a limit is exceeded. The caller may answer "wrong password" only after 0,
   * so simultaneous attempts learn no more than successive ones. A failure from a blocked address does not count against the account.
   */
  async countFailure(portal: Portal, email: string, address: string): Promise<number> {
    return (
      (await this.#add(addressCountKey(address), addressTriesMax)) ||
      (await this.#add(pairKey(portal, email, address), passwordTriesMax))
    );
  }

  /** Clears the failures of an account and address if no limit was reached meanwhile. Returns the seconds to wait, or 0. */
  async acceptSuccess(portal: Portal, email: string, address: string): Promise<number> {
    const seconds = await this.secondsToWait(portal, email, address);
    if (seconds === 0) await this.#store.clear(pairKey(portal, email, address));
    return seconds;
  }

  /** Counts a password confirmation; false after too many failures. */
  async consumeConfirmation(portal: Portal, personId: bigint): Promise<boolean> {
    return (await this.#add(confirmationKey(portal, personId), passwordTriesMax)) === 0;
  }

  async forgiveConfirmations(portal: Portal, personId: bigint): Promise<void> {
    await this.#store.clear(confirmationKey(portal, personId));
  }

  /** Adds one point. Returns the seconds until the window ends if the limit is exceeded, otherwise 0. */
  async #add(key: string, triesMax: number): Promise<number> {
    const { points, seconds } = await this.#store.add(key, 1);
    return points > triesMax ? seconds : 0;
  }
}

const pairKey = (portal: Portal, email: string, address: string): string => `${accountKey(portal, email)}:${address}`;
