import { unavailable } from './errors.ts';
import type { Lifetime } from './lifetime.ts';

interface Settings {
  /** Places over all keys. */
  readonly max?: number;
  readonly maxPerKey?: number;
  /** How long `enter` waits for a place of its key. */
  readonly waitMs?: number;
}

/** Gives a place back. Call it once. */
type Release = () => void;

interface Key {
  taken: number;
  /** First come, first served. */
  readonly waiting: Set<(release: Release) => void>;
}

const overloaded = () =>
  unavailable('overload', 'Too many such requests of this company are being answered; wait for these first.', 1);

/** Limits concurrent work, in all and per key, such as the requests of one company. A key never waits for another. */
export class ConcurrencyLimit<K> {
  readonly #max: number;
  readonly #maxPerKey: number;
  readonly #waitMs: number;
  readonly #keys = new Map<K, Key>();
  #taken = 0;
  #refused = 0;

  constructor({ max = Number.POSITIVE_INFINITY, maxPerKey = Number.POSITIVE_INFINITY, waitMs = 10_000 }: Settings) {
    this.#max = max;
    this.#maxPerKey = maxPerKey;
    this.#waitMs = waitMs;
  }

  get taken(): number {
    return this.#taken;
  }

  /** How often `take` found no place. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes a place; undefined if none is free. */
  take(key: K): Release | undefined {
    const place = this.#placeOf(key);
    if (!place) this.#refused += 1;
    return place;
  }

  /** Waits for a place, which the lifetime holds. Throws 503 `overload` after `waitMs`, or if the lifetime ends first. */
  async enter(key: K, lifetime: Lifetime): Promise<void> {
    lifetime.hold(this.#placeOf(key) ?? (await this.#wait(key, lifetime)));
  }

  /** The same for as long as the work takes, whether or not its client stays. */
  async run<T>(key: K, lifetime: Lifetime, work: () => Promise<T>): Promise<T> {
    const release = this.#placeOf(key) ?? (await this.#wait(key, lifetime));
    return work().finally(release);
  }

  #placeOf(name: K): Release | undefined {
    const key = this.#keys.get(name) ?? { taken: 0, waiting: new Set() };
    if (this.#taken >= this.#max || key.taken >= this.#maxPerKey) return undefined;
    this.#keys.set(name, key);
    this.#taken += 1;
    key.taken += 1;
    return () => this.#release(name, key);
  }

  async #wait(name: K, lifetime: Lifetime): Promise<Release> {
    const waiting = this.#keys.get(name)?.waiting;
    // No place of any key is free.
    if (!waiting) throw overloaded();
    return new Promise((resolve, reject) => {
      const start = (release: Release): void => {
        clearTimeout(timer);
        resolve(release);
      };
      const giveUp = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        reject(overloaded());
      };
      const timer = setTimeout(giveUp, this.#waitMs);
      waiting.add(start);
      lifetime.onEnd(giveUp);
    });
  }

  #release(name: K, key: Key): void {
    const [next] = key.waiting;
    if (next) {
      key.waiting.delete(next);
      next(() => this.#release(name, key));
      return;
    }
    this.#taken -= 1;
    key.taken -= 1;
    if (key.taken === 0) this.#keys.delete(name);
  }
}
