const perKeyMax = 10;
const keysMax = 10_000;

/** Accepts the first ten items per key and minute, for at most 10,000 keys. */
export class MinuteSample {
  #minute = Number.NaN;
  readonly #taken = new Map<string, number>();

  /** Whether to accept one more item of this key. */
  takes(key: string, now: Date): boolean {
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute !== this.#minute) this.#taken.clear();
    this.#minute = minute;
    const taken = this.#taken.get(key) ?? 0;
    if (taken >= perKeyMax || (taken === 0 && this.#taken.size >= keysMax)) return false;
    this.#taken.set(key, taken + 1);
    return true;
  }
}
