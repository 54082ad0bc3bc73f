import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Log } from '../log.ts';

/** An outage ends with the first success this long after the last failure. */
const outageMsMin = 500;

/** Counts in this process while the shared backend fails. Logs one line when an outage begins and one when it ends. */
export class Insurance {
  readonly #backend: string;
  readonly #log: Log;
  #failedAt: number | undefined;
  #fallbacks = 0;

  constructor(backend: string, log: Log) {
    this.#backend = backend;
    this.#log = log;
  }

  get isActive(): boolean {
    return this.#failedAt !== undefined;
  }

  /** Requests counted only by this process. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  limiter(options: { readonly points: number; readonly duration: number }): RateLimiterMemory {
    return new InsuranceLimiter(options, (points) => {
      this.#fallbacks += points;
    });
  }

  failed(error: unknown): void {
    if (!this.isActive)
      this.#log.warn({ error, backend: this.#backend }, 'request limits are counted by this process alone');
    this.#failedAt = performance.now();
  }

  succeeded(): void {
    if (this.#failedAt === undefined || performance.now() - this.#failedAt < outageMsMin) return;
    this.#failedAt = undefined;
    this.#log.info({ backend: this.#backend }, 'request limits are shared again');
  }
}

class InsuranceLimiter extends RateLimiterMemory {
  readonly #onConsume: (points: number) => void;

  constructor(options: { readonly points: number; readonly duration: number }, onConsume: (points: number) => void) {
    super(options);
    this.#onConsume = onConsume;
  }

  override consume(...args: Parameters<RateLimiterMemory['consume']>): ReturnType<RateLimiterMemory['consume']> {
    this.#onConsume(args[1] ?? 1);
    return super.consume(...args);
  }
}
