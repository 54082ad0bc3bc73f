import { isIPv6 } from 'node:net';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { tooManyRequests } from '../domain/errors.ts';
import { consume, windowSeconds } from './limit-backend.ts';

/** Points for a refused credential, on top of the request's own: an address that guesses runs out eleven times sooner. */
const refusedCredentialPoints = 10;

/** Limits requests per IP address. Counts in this process only: a round trip before authentication would cost more than it protects. */
export class AddressLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(requestsPerMinute: number) {
    this.#limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: windowSeconds });
  }

  /** Counts one request. Throws 429 `address`. */
  async consume(address: string): Promise<void> {
    const { refused, seconds } = await consume(this.#limiter, addressKey(address), 1);
    if (refused) throw tooManyRequests('address', 'Too many requests from this address.', seconds);
  }

  /** Counts a refused credential against its address. */
  async penalize(address: string): Promise<void> {
    await this.#limiter.penalty(addressKey(address), refusedCredentialPoints);
  }
}

/** The key of an address in a limit: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber gets. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  return isIPv6(address) ? `${groups(address).slice(0, 4).join(':')}::/64` : address;
}

function groups(address: string): string[] {
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(8 - left.length - right.length, 0) }, () => '0');
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
