import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { tooManyRequests } from '../domain/errors.ts';
import { type LimitStore, memoryStore } from './limit-store.ts';

const windowSeconds = 60;
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
