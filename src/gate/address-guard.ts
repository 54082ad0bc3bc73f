import { RateLimiterMemory, type RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import { type SharedCounts, windowSeconds } from './limit-backend.ts';
import { type Spent, spend } from './spend.ts';

/** A process tells the others of an address each time that it has counted this part of the limit. */
const sharedPart = 1 / 20;

/**
 * The guard per address. Each request is counted in this process, which costs no round trip, and the sum over all processes comes in
 * behind: `n` processes let an address have at most `n` twentieths more than its limit.
 */
export class AddressGuard {
  readonly #counts: RateLimiterMemory;
  readonly #shared: SharedCounts | undefined;
  readonly #sum: RateLimiterStoreAbstract | undefined;
  readonly #untold = new Map<string, number>();
  readonly #telling = new Set<string>();
  readonly #share: number;

  constructor(points: number, keyPrefix: string, shared: SharedCounts | undefined) {
    this.#counts = new RateLimiterMemory({ points, duration: windowSeconds });
    this.#shared = shared;
    this.#sum = shared?.counter(keyPrefix, points);
    this.#share = Math.max(Math.floor(points * sharedPart), 1);
    // An address that stays below its part is not worth telling of, nor remembering.
    if (shared) setInterval(() => this.#untold.clear(), windowSeconds * 1000).unref();
  }

  spend(address: string): Promise<Spent> {
    const spent = spend(this.#counts, address, 1);
    if (this.#sum) this.#note(this.#sum, address, 1, this.#share);
    return spent;
  }

  /** Counts so many at once and tells of them at once. */
  async punish(address: string, points: number): Promise<void> {
    await this.#counts.penalty(address, points);
    if (this.#sum) this.#note(this.#sum, address, points, 1);
  }

  #note(sum: RateLimiterStoreAbstract, address: string, points: number, enough: number): void {
    const untold = (this.#untold.get(address) ?? 0) + points;
    this.#untold.set(address, untold);
    if (untold >= enough && !this.#telling.has(address)) void this.#tell(sum, address);
  }

  /** One at a time for an address, so that an older sum never replaces a newer one. */
  async #tell(sum: RateLimiterStoreAbstract, address: string): Promise<void> {
    this.#telling.add(address);
    do {
      const points = this.#untold.get(address) ?? 0;
      this.#untold.delete(address);
      const all = await this.#shared?.reach.attempt(() => sum.penalty(address, points));
      if (!all) break;
      const since = this.#untold.get(address) ?? 0;
      // Zero would mean for ever.
      const seconds = Math.max(all.msBeforeNext, 1) / 1000;
      await this.#counts.set(address, all.consumedPoints + since, seconds);
    } while ((this.#untold.get(address) ?? 0) >= this.#share);
    this.#telling.delete(address);
  }
}
