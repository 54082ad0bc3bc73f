import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import type { Tenant } from '../domain/environment.ts';
import { tooManyRequests } from '../domain/errors.ts';
import { consume } from './consume.ts';
import { type LimitBackend, windowSeconds } from './limit-backend.ts';

export interface LimitSettings {
  /** Per company and environment, over all credentials and both protocols. */
  readonly requestsPerMinute: number;
  /** Per IP address, before anything is known of the caller. */
  readonly addressRequestsPerMinute: number;
  /** Begins every shared key. */
  readonly limitsNamespace: string;
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

/** The request limits of section 8. A window begins with the first request in it, whichever process takes that. */
export class Limits {
  readonly #points: number;
  readonly #companies: RateLimiterAbstract;
  /** By this process alone: a round trip for each request before its credential is known would cost more than it guards. */
  readonly #addresses: RateLimiterMemory;

  constructor({ requestsPerMinute, addressRequestsPerMinute, limitsNamespace }: LimitSettings, backend: LimitBackend) {
    this.#points = requestsPerMinute;
    this.#companies = backend.limiter(`${limitsNamespace}:company`, requestsPerMinute);
    this.#addresses = new RateLimiterMemory({ points: addressRequestsPerMinute, duration: windowSeconds });
  }

  /** Counts requests of a company, of which none may run where they exceed the limit. Throws 429 `company`. */
  async consumeRequests({ companyId, environment }: Tenant, requests: number): Promise<RequestBudget> {
    const { refused, remaining, seconds } = await consume(this.#companies, `${environment}:${companyId}`, requests);
    const budget = { limit: this.#points, remaining, resetSeconds: seconds };
    if (!refused) return budget;
    const refusal = tooManyRequests('company', 'The request limit of this company is reached.', seconds);
    throw refusal.withHeaders(budgetHeaders(budget));
  }

  /** Counts one request of an address. Throws 429 `address`. */
  async consumeAddress(address: string): Promise<void> {
    const { refused, seconds } = await consume(this.#addresses, address, 1);
    if (refused) throw tooManyRequests('address', 'Too many requests from this address.', seconds);
  }

  /** Makes a refused credential count against its address. */
  async penalizeAddress(address: string): Promise<void> {
    await this.#addresses.penalty(address, refusedCredentialPoints);
  }
}
