const companiesMax = 1000;

interface Pause {
  readonly until: number;
  readonly lengthMs: number;
}

/**
 * Companies whose body ended a worker lately. Loading another worker costs all companies about as much as the body did, so each
 * pause is twice as long as the one before, until the company has behaved for `maxMs`.
 */
export class Pauses {
  readonly #firstMs: number;
  readonly #maxMs: number;
  readonly #pauses = new Map<bigint, Pause>();

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs;
    this.#maxMs = maxMs;
  }

  add(companyId: bigint): void {
    const now = performance.now();
    const last = this.#pauses.get(companyId);
    const repeated = last !== undefined && last.until + this.#maxMs > now;
    const lengthMs = repeated ? Math.min(last.lengthMs * 2, this.#maxMs) : this.#firstMs;
    this.#pauses.delete(companyId);
    this.#pauses.set(companyId, { until: now + lengthMs, lengthMs });
    const [oldest] = this.#pauses.keys();
    if (oldest !== undefined && this.#pauses.size > companiesMax) this.#pauses.delete(oldest);
  }

  /** Whole seconds until the company may send a body again; 0 where it may. */
  leftSeconds(companyId: bigint): number {
    const left = (this.#pauses.get(companyId)?.until ?? 0) - performance.now();
    return Math.max(0, Math.ceil(left / 1000));
  }
}
