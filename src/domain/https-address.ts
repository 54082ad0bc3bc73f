// Characters that RFC 3986 does not allow in a path, query or fragment. A second # is checked separately.
const outside = /[^\w\-.~:/?#@!$&'()*+,;=%]/u;
const notInHost = /[^\w\-.~!$&'()*+,;=%]/;
const portMax = 65_535;

/**
 * Returns what is wrong with the address of a web page. A valid one is an https URL (RFC 9110 section 4.2.2) in the characters of RFC 3986,
 * with a host that browsers read exactly as written. Expects well-formed text that begins with `https://`.
 */
export function httpsAddressErrors(address: string): string[] {
  const [, authority = '', rest = ''] = /^https:\/\/([^/?#]*)(.*)$/su.exec(address) ?? [];
  const at = authority.lastIndexOf('@');
  const errors = at < 0 ? [] : ['must not contain a user name or password'];
  const [, host = '', port = ''] = /^(\[[^\]]*\](?=:|$)|\[.*|[^:]*):?(.*)$/su.exec(authority.slice(at + 1)) ?? [];
  if (!/^\d*$/.test(port) || Number(port) > portMax) errors.push(`must have a port from 0 to ${portMax} or none`);
  return [...errors, ...hostErrors(host), ...restErrors(rest)];
}

function hostErrors(host: string): string[] {
  if (host === '') return ['must have a host after https://'];
  const read = parseUrl(`https://${host}`)?.hostname;
  if (/[^\0-\x7f]/.test(host))
    return [`must have its host in ASCII, in the xn-- form${read ? `: ${read}` : ' of an international name'}`];
  const isLiteral = host.startsWith('[');
  if (read === undefined || (!isLiteral && notInHost.test(host)))
    return ['must have a host that is a valid name or address'];
  return read === host.toLowerCase() ? [] : [`must have its host as a browser reads it: ${read}`];
}

function restErrors(rest: string): string[] {
  const errors: string[] = [];
  const wrong = outside.exec(rest)?.[0] ?? (rest.split('#').length > 2 ? '#' : undefined);
  if (wrong !== undefined)
    errors.push(`must have ${JSON.stringify(wrong)} after its host percent-encoded, as ${percentEncoded(wrong)}`);
  if (/%(?![\da-f]{2})/i.test(rest)) errors.push('must have two hexadecimal digits after each %');
  return errors;
}

const percentEncoded = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * Whether a link leads over https to the host that it shows. False for what a browser repairs (`https:x`, `https:///x`, a backslash, a
 * line break in the host) or hides (a user name).
 */
export function isPlainHttpsLink(href: string): boolean {
  const [, authority] = /^https:\/\/([^/?#\\]+)/iu.exec(href) ?? [];
  return authority !== undefined && !/[@\s\p{Cc}\p{Cf}]/u.test(authority) && isUrl(href);
}

export const isUrl = (text: string): boolean => parseUrl(text) !== undefined;

/** URL.canParse of Node 20 and 22 wrongly rejects non-ASCII text once V8 has optimized its caller. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
