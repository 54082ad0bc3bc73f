const companiesMax = 1000;

interface Account {
  /** At `at`; below zero is debt. */
  leftMs: number;
  at: number;
}

/**
 * The processor time of the workers that each company may use: so much at once, and so much each second. It keeps a company's
 * expensive bodies from taking a whole core for long; at 60 requests a minute honest bodies of the greatest length stay below it.
 */
export class Budgets {
  readonly #atOnceMs: number;
  readonly #msPerSecond: number;
  readonly #accounts = new Map<bigint, Account>();

  constructor(atOnceMs: number, msPerSecond: number) {
    this.#atOnceMs = atOnceMs;
    this.#msPerSecond = msPerSecond;
  }

  spend(companyId: bigint, ms: number): void {
    const leftMs = this.#left(companyId) - ms;
    this.#accounts.delete(companyId);
    this.#accounts.set(companyId, { leftMs, at: performance.now() });
    const [oldest] = this.#accounts.keys();
    if (oldest !== undefined && this.#accounts.size > companiesMax) this.#accounts.delete(oldest);
  }

  /** Whole seconds until the company is out of debt; 0 where it is in none. */
  debtSeconds(companyId: bigint): number {
    return Math.max(0, Math.ceil(-this.#left(companyId) / this.#msPerSecond));
  }

  #left(companyId: bigint): number {
    const account = this.#accounts.get(companyId);
    if (!account) return this.#atOnceMs;
    const refilled = ((performance.now() - account.at) / 1000) * this.#msPerSecond;
    return Math.min(account.leftMs + refilled, this.#atOnceMs);
  }
}
