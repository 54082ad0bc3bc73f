import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Realm } from '../domain/realm.ts';

const windowSeconds = 15 * 60;
const accountTriesMax = 10;
const addressTriesMax = 30;

/** Failed sign-ins of one account, known or not, and of one network address. */
export class SignInLimits {
  readonly #accounts = new RateLimiterMemory({ points: accountTriesMax, duration: windowSeconds });
  readonly #addresses = new RateLimiterMemory({ points: addressTriesMax, duration: windowSeconds });

  /** Counts a try before the password is looked at, so that simultaneous ones count too. Seconds to wait; 0 lets it pass. */
  async spend(realm: Realm, account: string, address: string): Promise<number> {
    const waits = await Promise.all([
      waitAfter(this.#accounts, keyOf(realm, account)),
      waitAfter(this.#addresses, address),
    ]);
    return Math.max(...waits);
  }

  /** Forgets a try that was right: only failures count. */
  async forgive(realm: Realm, account: string, address: string): Promise<void> {
    await Promise.all([this.#accounts.delete(keyOf(realm, account)), this.#addresses.reward(address, 1)]);
  }
}

/** A digest, because what was typed may be long, and may be a password. */
const keyOf = (realm: Realm, account: string): string =>
  `${realm}:${createHash('sha256').update(account).digest('base64url')}`;

async function waitAfter(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(Math.ceil(refused.msBeforeNext / 1000), 1);
    throw refused;
  }
}
