import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import type { Realm } from '../domain/realm.ts';
import type { LimitBackend, SharedCounts } from './limit-backend.ts';
import { spend } from './spend.ts';

const windowSeconds = 15 * 60;
const accountTriesMax = 10;
const addressTriesMax = 30;

/** Failed sign-ins of one account, known or not, and of one network address: over all processes where request limits are. */
export class SignInLimits {
  readonly #accounts: Tries;
  readonly #addresses: Tries;

  constructor(namespace: string, { shared }: LimitBackend) {
    this.#accounts = new Tries(`${namespace}:sign-in-account`, accountTriesMax, shared);
    this.#addresses = new Tries(`${namespace}:sign-in-address`, addressTriesMax, shared);
  }

  /** Counts a try before the password is looked at, so that simultaneous ones count too. Seconds to wait; 0 lets it pass. */
  async spend(realm: Realm, account: string, address: string): Promise<number> {
    const waits = await Promise.all([this.#accounts.spend(keyOf(realm, account)), this.#addresses.spend(address)]);
    return Math.max(...waits);
  }

  /** Forgets a try that was right: only failures count. */
  async forgive(realm: Realm, account: string, address: string): Promise<void> {
    await Promise.all([this.#accounts.forget(keyOf(realm, account)), this.#addresses.takeBack(address)]);
  }
}

/** A digest, because what was typed may be long, and may be a password. */
const keyOf = (realm: Realm, account: string): string =>
  `${realm}:${createHash('sha256').update(account).digest('base64url')}`;

/** Counted with all processes where they can be reached, else by this one alone. */
class Tries {
  readonly #alone: RateLimiterMemory;
  readonly #together: RateLimiterStoreAbstract | undefined;
  readonly #shared: SharedCounts | undefined;

  constructor(keyPrefix: string, points: number, shared: SharedCounts | undefined) {
    this.#alone = new RateLimiterMemory({ points, duration: windowSeconds });
    this.#together = shared?.counter(keyPrefix, points, windowSeconds);
    this.#shared = shared;
  }

  /** Seconds to wait; 0 where the try may be made. */
  async spend(key: string): Promise<number> {
    const { refused, seconds } = await this.#on((limiter) => spend(limiter, key, 1));
    return refused ? seconds : 0;
  }

  async forget(key: string): Promise<void> {
    await this.#on((limiter) => limiter.delete(key));
  }

  async takeBack(key: string): Promise<void> {
    await this.#on((limiter) => limiter.reward(key, 1));
  }

  async #on<T>(act: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    const together = this.#together;
    const done = together && (await this.#shared?.reach.attempt(() => act(together)));
    return done ?? act(this.#alone);
  }
}
