import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Tenant } from '../domain/environment.ts';
import { tooManyRequests } from '../domain/errors.ts';

export interface LimitSettings {
  /** Per company and environment, over all credentials and both protocols. */
  readonly requestsPerMinute: number;
  /** Per IP address, before anything is known of the caller. */
  readonly addressRequestsPerMinute: number;
}

/** What a caller is told of the request limit; `resetSeconds` is when the window ends. */
export interface RequestBudget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export const budgetHeaders = ({ limit, remaining, resetSeconds }: RequestBudget): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
});

/** What a refused credential costs an address beside its one request: guessing runs out an order of magnitude sooner. */
const refusedCredentialPoints = 10;
const windowSeconds = 60;

/** The request limits of section 8, counted in this process. A window begins with the first request in it. */
export class Limits {
  readonly #companies: RateLimiterMemory;
  readonly #addresses: RateLimiterMemory;

  constructor({ requestsPerMinute, addressRequestsPerMinute }: LimitSettings) {
    this.#companies = new RateLimiterMemory({ points: requestsPerMinute, duration: windowSeconds });
    this.#addresses = new RateLimiterMemory({ points: addressRequestsPerMinute, duration: windowSeconds });
  }

  /** Counts so many requests of a company, none of which may run where they exceed the limit; refuses with 429 `company`. */
  async spendRequests({ companyId, environment }: Tenant, requests: number): Promise<RequestBudget> {
    const spent = await consume(this.#companies, `${environment}:${companyId}`, requests);
    const budget = { limit: this.#companies.points, remaining: spent.remaining, resetSeconds: spent.seconds };
    if (!spent.refused) return budget;
    const refusal = tooManyRequests('company', 'The request limit of this company is reached.', spent.seconds);
    throw refusal.withHeaders(budgetHeaders(budget));
  }

  /** Counts one request of an address; refuses with 429 `address`. */
  async spendAddress(address: string): Promise<void> {
    const spent = await consume(this.#addresses, address, 1);
    if (spent.refused) throw tooManyRequests('address', 'Too many requests from this address.', spent.seconds);
  }

  /** Makes a refused credential count against its address. */
  async punishAddress(address: string): Promise<void> {
    await this.#addresses.penalty(address, refusedCredentialPoints);
  }
}

async function consume(limiter: RateLimiterMemory, key: string, points: number) {
  const spent = await limiter.consume(key, points).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  const refused = spent.consumedPoints > limiter.points;
  return { refused, remaining: spent.remainingPoints, seconds: Math.max(Math.ceil(spent.msBeforeNext / 1000), 1) };
}
