import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Tenant } from '../domain/environment.ts';
import { tooManyRequests } from '../domain/errors.ts';
import { consume, type LimitBackend, windowSeconds } from './limit-backend.ts';

interface RequestLimitSettings {
  readonly requestsPerMinute: number;
  /** Prefix of every shared key. */
  readonly limitsNamespace: string;
}

/** `resetSeconds` is the time until the window ends. */
export interface RequestBudget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Three headers that clients know, and the structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
export const budgetHeaders = ({ limit, remaining, resetSeconds }: RequestBudget): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
  'RateLimit-Policy': `"company";q=${limit};w=${windowSeconds}`,
  RateLimit: `"company";r=${remaining};t=${resetSeconds}`,
});

/**
 * Requests per minute of a company and environment, over all credentials and both protocols (section 8). A window begins with its
 * first request, in whichever process.
 */
export class RequestLimit {
  readonly #limit: number;
  readonly #limiter: RateLimiterAbstract;

  constructor({ requestsPerMinute, limitsNamespace }: RequestLimitSettings, backend: LimitBackend) {
    this.#limit = requestsPerMinute;
    this.#limiter = backend.limiter(`${limitsNamespace}:company`, requestsPerMinute);
  }

  /** Counts requests that run all or not at all. Throws 429 `company`. */
  async consume(tenant: Tenant, requests: number): Promise<RequestBudget> {
    const { refused, remaining, seconds } = await consume(this.#limiter, keyOf(tenant), requests);
    const budget = { limit: this.#limit, remaining, resetSeconds: seconds };
    if (!refused) return budget;
    const refusal = tooManyRequests('company', 'The request limit of this company is reached.', seconds);
    throw refusal.withHeaders(budgetHeaders(budget));
  }

  /** Takes back the count of one request. */
  async refund(tenant: Tenant): Promise<void> {
    await this.#limiter.reward(keyOf(tenant), 1);
  }
}

const keyOf = ({ companyId, environment }: Tenant): string => `${environment}:${companyId}`;
