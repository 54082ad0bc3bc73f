import { type Db, rowsBy } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import { countOne, databaseStore, type LimitStore, type SharedLimitStore } from './limit-store.ts';
import { accountKey, addressCountKey, confirmationKey, emailKey, triesKey } from './sign-in-counts-sql.ts';

export const windowMinutes = 15;
const addressTriesMax = 30;
/** The most sign-ins from one address in a minute, right or wrong. Each costs about 30 ms of CPU. */
const triesPerMinute = 60;
const triesWindowSeconds = 60;
/** The most failures for an account (existing or not) from one address, and for a signed-in person who confirms the password. */
export const passwordTriesMax = 10;

/** A sign-in: the e-mail address that was typed, and the network address that sent it. */
interface Sender {
  readonly portal: Portal;
  readonly email: string;
  readonly address: string;
}

interface Identified {
  readonly id: bigint;
}

/**
 * Limits failed passwords per network address; per e-mail address and network address, so that one person's failures do not lock out another;
 * and per account and network address, because a sign-in that opens one account of an e-mail address may be a guess at another. Successes
 * count only among the sign-ins of a minute. Always counts in the database, so that the command line can reset the counters of failures.
 */
export class SignInLimits {
  readonly #store: SharedLimitStore;
  readonly #tries: LimitStore;

  constructor(db: Db) {
    this.#store = databaseStore(rowsBy(db), windowMinutes * 60);
    this.#tries = databaseStore(rowsBy(db), triesWindowSeconds);
  }

  /** Counts a sign-in of a network address before anything is looked up, and returns 0. If it does not fit, returns the seconds to wait. */
  async countTry(address: string): Promise<number> {
    return countOne(this.#tries, triesKey(address), triesPerMinute);
  }

  /** Seconds to wait before a password is checked, or 0. */
  async secondsToWait(from: Sender): Promise<number> {
    const [ofAddress, ofPair] = await this.#store.read(addressCountKey(from.address), pairKey(from));
    if (ofAddress && ofAddress.points >= addressTriesMax) return ofAddress.seconds;
    return ofPair && ofPair.points >= passwordTriesMax ? ofPair.seconds : 0;
  }

  /** Leaves out the accounts that the network address has missed too often. */
  async withoutMissed<A extends Identified>(from: Sender, accounts: readonly A[]): Promise<A[]> {
    if (accounts.length === 0) return [];
    const counted = await this.#store.read(...keysOf(from, accounts));
    return accounts.filter((_, at) => (counted[at]?.points ?? 0) < passwordTriesMax);
  }

  /**
   * Counts a failed attempt, also against each account that it missed. Returns 0, or the seconds to wait if a limit is exceeded. The caller
   * may answer "wrong password" only after 0, so simultaneous attempts learn no more than successive ones. A failure from a blocked address
   * counts against no account.
   */
  async countFailure(from: Sender, missed: readonly Identified[]): Promise<number> {
    const seconds = await this.#add(addressCountKey(from.address), addressTriesMax);
    if (seconds > 0) return seconds;
    const [ofPair] = await Promise.all([this.#add(pairKey(from), passwordTriesMax), this.#countMisses(from, missed)]);
    return ofPair;
  }

  /**
   * If no limit was reached meanwhile, clears the failures of the e-mail address and of the `right` accounts, and counts against those that
   * were missed. Returns the seconds to wait, or 0.
   */
  async acceptSuccess(from: Sender, right: readonly Identified[], missed: readonly Identified[]): Promise<number> {
    const seconds = await this.secondsToWait(from);
    if (seconds > 0) return seconds;
    await this.#countMisses(from, missed);
    await this.#store.clear(pairKey(from), ...keysOf(from, right));
    return 0;
  }

  async #countMisses(from: Sender, missed: readonly Identified[]): Promise<void> {
    await Promise.all(keysOf(from, missed).map((key) => this.#store.add(key, 1)));
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

const pairKey = ({ portal, email, address }: Sender): string => `${emailKey(portal, email)}:${address}`;

const keysOf = ({ portal, address }: Sender, accounts: readonly Identified[]): string[] =>
  accounts.map(({ id }) => `${accountKey(portal, id)}:${address}`);
