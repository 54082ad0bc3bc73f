const companiesMax = 1000;

/** Companies whose body ended a worker lately. They must leave one idle worker to the others. */
export class Suspects {
  readonly #suspicionMs: number;
  readonly #until = new Map<bigint, number>();

  constructor(suspicionMs: number) {
    this.#suspicionMs = suspicionMs;
  }

  add(companyId: bigint): void {
    this.#until.delete(companyId);
    this.#until.set(companyId, performance.now() + this.#suspicionMs);
    const [oldest] = this.#until.keys();
    if (oldest !== undefined && this.#until.size > companiesMax) this.#until.delete(oldest);
  }

  has(companyId: bigint): boolean {
    return (this.#until.get(companyId) ?? 0) > performance.now();
  }
}
