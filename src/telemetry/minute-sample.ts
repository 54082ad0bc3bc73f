const perKeyMax = 10;
const keysMax = 10_000;

/** Takes the first ten things of each key in a minute. It remembers no minute but this one, and no more than 10,000 keys of it. */
export class MinuteSample {
  #minute = Number.NaN;
  readonly #taken = new Map<string, number>();

  /** Whether to take one more thing of that key. */
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
