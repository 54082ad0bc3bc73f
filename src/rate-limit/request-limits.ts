import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from '../database/open.ts';
import type { Tenant } from '../domain/environment.ts';
import { tooManyRequests } from '../domain/errors.ts';
import { databaseStore, type LimitStore, memoryStore } from './limit-store.ts';

const windowSeconds = 60;

/** The embedded database has only one process, which counts in memory. So does each process while the database that counts is away. */
export function storeOfRequests({ kind, admission }: Pick<Database, 'kind' | 'admission'>): LimitStore {
  const own = memoryStore(windowSeconds);
  if (kind === 'embedded') return own;
  const shared = databaseStore(admission, windowSeconds);
  return { ...shared, add: (key, points) => shared.add(key, points).catch(() => own.add(key, points)) };
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
  readonly #store: LimitStore;

  constructor(requestsPerMinute: number, store: LimitStore) {
    this.#limit = requestsPerMinute;
    this.#store = store;
  }

  /** Counts requests that run all or not at all. Throws 429 `company`. */
  async consume(tenant: Tenant, requests: number): Promise<RequestBudget> {
    const { points, seconds } = await this.#store.add(keyOf(tenant), requests);
    const budget = { limit: this.#limit, remaining: Math.max(this.#limit - points, 0), resetSeconds: seconds };
    if (points <= this.#limit) return budget;
    throw tooManyRequests('company', 'The request limit of this company is reached.', seconds, budgetHeaders(budget));
  }

  /** Takes back the count of one request. */
  async refund(tenant: Tenant): Promise<void> {
    await this.#store.add(keyOf(tenant), -1);
  }
}

const keyOf = ({ companyId, environment }: Tenant): string => `vaga:company:${environment}:${companyId}`;

/** Points for a refused credential, on top of the request's own: an address that guesses runs out eleven times sooner. */
const refusedCredentialPoints = 10;

/** Limits requests per IP address. Counts in this process only: a round trip before authentication would cost more than it protects. */
export class AddressLimit {
  readonly #limit: number;
  readonly #store: LimitStore = memoryStore(windowSeconds);

  constructor(requestsPerMinute: number) {
    this.#limit = requestsPerMinute;
  }

  /** Counts one request. Throws 429 `address`. */
  async consume(address: string): Promise<void> {
    const { points, seconds } = await this.#store.add(addressKey(address), 1);
    if (points > this.#limit) throw tooManyRequests('address', 'Too many requests from this address.', seconds);
  }

  /** Counts a refused credential against its address. */
  async penalize(address: string): Promise<void> {
    await this.#store.add(addressKey(address), refusedCredentialPoints);
  }
}

/** The key of an address in a limit: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber gets. */
export function addressKey(address: string): string {
  // A proxy may name a client in its own way, or pass on what the client calls itself.
  if (!ipaddr.isValid(address)) return hash('sha256', address, 'base64url');
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
