import { isIPv6 } from 'node:net';

/** What stands for a client's address in a limit: an IPv4 address whole, of an IPv6 address the /64 that one subscriber gets. */
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
