import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from '../database/open.ts';
import type { Portal } from '../domain/actor.ts';
import type { Tenant } from '../domain/environment.ts';
import { type ApiError, tooManyRequests } from '../domain/errors.ts';
import { countOne, databaseStore, type LimitStore, memoryStore, readOne } from './limit-store.ts';

const windowSeconds = 60;

/**
 * Only one process serves requests with the embedded database, so it counts in memory. With PostgreSQL, processes share their counts; while
 * the database is away, each counts in memory.
 */
export function storeOfRequests({ kind, admission }: Pick<Database, 'kind' | 'admission'>): LimitStore {
  const own = memoryStore(windowSeconds);
  if (kind === 'embedded') return own;
  const shared = databaseStore(admission, windowSeconds);
  return {
    ...shared,
    add: (...points) => shared.add(...points).catch(() => own.add(...points)),
    addWithin: (...points) => shared.addWithin(...points).catch(() => own.addWithin(...points)),
    read: (...keys) => shared.read(...keys).catch(() => own.read(...keys)),
  };
}

/** `resetSeconds` is the time until the window ends. */
export interface RequestBudget {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Three widely known headers, and the structured fields of draft-ietf-httpapi-ratelimit-headers-10. */
export const budgetHeaders = ({ limit, remaining, resetSeconds }: RequestBudget): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
  'RateLimit-Policy': `"company";q=${limit};w=${windowSeconds}`,
  RateLimit: `"company";r=${remaining};t=${resetSeconds}`,
});

/**
 * Limits the requests per minute of a company in an environment, over all credentials and both protocols (section 8). A window begins with
 * its first request, in any process.
 */
export class RequestLimit {
  readonly #limit: number;
  readonly #store: LimitStore;

  constructor(requestsPerMinute: number, store: LimitStore) {
    this.#limit = requestsPerMinute;
    this.#store = store;
  }

  /** Counts requests that run together or not at all. If they do not fit, throws 429 `company`, and they use up none of the limit. */
  async consume(tenant: Tenant, requests: number): Promise<RequestBudget> {
    const [key, limit] = [keyOf(tenant), this.#limit];
    if (requests === 1) {
      const { points, seconds } = await this.#store.add(key, 1);
      const budget = { limit, remaining: Math.max(limit - points, 0), resetSeconds: seconds };
      if (points <= limit) return budget;
      throw companyLimitReached(budget);
    }
    const added = await this.#store.addWithin(key, requests, limit);
    if (added) return { limit, remaining: limit - added.points, resetSeconds: added.seconds };
    const { points, seconds } = await readOne(this.#store, key);
    throw companyLimitReached({ limit, remaining: Math.max(limit - points, 0), resetSeconds: seconds });
  }
}

const companyLimitReached = (budget: RequestBudget): ApiError =>
  tooManyRequests(
    'company',
    'The request limit of this company is reached.',
    budget.resetSeconds,
    budgetHeaders(budget),
  );

const keyOf = ({ companyId, environment }: Tenant): string => `vaga:company:${environment}:${companyId}`;

/**
 * Limits the forms per minute of a signed-in person, over all sessions and processes. A company's requests and its people's forms never use up
 * each other's limit.
 */
export class FormLimit {
  readonly #limit: number;
  readonly #store: LimitStore;

  constructor(formsPerMinute: number, store: LimitStore) {
    this.#limit = formsPerMinute;
    this.#store = store;
  }

  /** Counts a form and returns 0. If it does not fit, counts nothing and returns the seconds to wait. */
  async consume(portal: Portal, personId: bigint): Promise<number> {
    return countOne(this.#store, `vaga:forms:${portal}:${personId}`, this.#limit);
  }
}

/** Points for an unknown credential, on top of the request's own point: guessing uses up the limit eleven times faster. */
const unknownCredentialPoints = 10;

/**
 * Limits requests per IP address, and credential lookups of an address that guesses. Counts in this process only: a round trip before
 * authentication would cost more than it protects.
 */
export class AddressLimit {
  readonly #limit: number;
  readonly #requests: LimitStore = memoryStore(windowSeconds);
  readonly #guesses: LimitStore = memoryStore(windowSeconds);

  constructor(requestsPerMinute: number) {
    this.#limit = requestsPerMinute;
  }

  /**
   * Counts one request of the API or a page. Past the limit, throws 429 `address` without counting the request, so that a refused request
   * cannot cause assertMayLookUp to refuse an earlier one.
   */
  async consume(address: string): Promise<void> {
    const seconds = await countOne(this.#requests, addressKey(address), this.#limit);
    if (seconds > 0) throw addressLimitReached(seconds);
  }

  /**
   * Throws 429 `address` for an address that guessed too many well-formed credentials that never existed. Until a minute after the first
   * guess, that address cannot use valid credentials either. A mistyped credential (it fails the checksum) and an ended credential (it is
   * still stored) do not count as guesses. Pages are not affected: they look up no credentials.
   */
  async assertMayLookUp(address: string): Promise<void> {
    const key = addressKey(address);
    const [requests, guesses] = await Promise.all([readOne(this.#requests, key), readOne(this.#guesses, key)]);
    if (requests.points + guesses.points > this.#limit) throw addressLimitReached(guesses.seconds);
  }

  /** Counts an unknown credential against its address. */
  async penalize(address: string): Promise<void> {
    await this.#guesses.add(addressKey(address), unknownCredentialPoints);
  }
}

const addressLimitReached = (seconds: number): ApiError =>
  tooManyRequests('address', 'Too many requests from this address.', seconds);

/** The key of an address in a limit: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber gets. */
export function addressKey(address: string): string {
  // A proxy may send a name for the client, or pass on a name that the client gave itself.
  if (!ipaddr.isValid(address)) return hash('sha256', address, 'base64url');
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
