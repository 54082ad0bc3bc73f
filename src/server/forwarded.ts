import type { IncomingMessage } from 'node:http';

/** `203.0.113.7:5678`, `[2001:db8::1]` and `[2001:db8::1]:443`. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/**
 * Makes a trusted proxy's X-Forwarded-For a list of bare addresses and its X-Forwarded-Proto the one value that counts, before
 * anything reads them. What another peer says stays as it is: nothing believes it.
 */
export function readForwarded({ headers, socket }: IncomingMessage, trusts: (address: string) => boolean): void {
  if (!trusts(socket.remoteAddress ?? '')) return;
  const addresses = valuesOf(headers['x-forwarded-for']).map(bareAddress).filter(Boolean);
  if (addresses.length > 0) headers['x-forwarded-for'] = addresses.join(', ');
  const protocols = valuesOf(headers['x-forwarded-proto']);
  if (protocols.length > 0) headers['x-forwarded-proto'] = protocolAt(trustedHops(addresses, trusts), protocols);
}

const valuesOf = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((value) => value.trim());

function bareAddress(value: string): string {
  const [, v4, v6] = withPort.exec(value) ?? [];
  return v4 ?? v6 ?? value;
}

/** The proxies between us and the client that may speak for it: our peer, and those that the list names before anybody else. */
function trustedHops(addresses: readonly string[], trusts: (address: string) => boolean): number {
  const stranger = addresses.findLastIndex((address) => !trusts(address));
  return addresses.length - stranger;
}

/** Each proxy adds its value at the end: further to the left may be what the client made up. */
const protocolAt = (hops: number, protocols: readonly string[]): string =>
  (protocols.at(-hops) ?? protocols[0] ?? '').toLowerCase() || 'http';
