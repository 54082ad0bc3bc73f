// Not in RFC 3986's set of characters for a path, query or fragment; a second # is none of a fragment either.
const outside = /[^\w\-.~:/?#@!$&'()*+,;=%]/u;
const notInHost = /[^\w\-.~!$&'()*+,;=%]/;
const portMax = 65_535;

/**
 * What is wrong with an address of a web page; none means `https://host…` by RFC 9110 section 4.2.2, in the characters of RFC 3986,
 * whose host a browser reads exactly as it is written. Expects well-formed text that begins with `https://`.
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
 * Whether a link leads over https to the host that it shows: what a browser repairs (`https:x`, `https:///x`, a backslash, a line break
 * in the host) or hides (a user name) does not.
 */
export function isPlainHttpsLink(href: string): boolean {
  const [, authority] = /^https:\/\/([^/?#\\]+)/iu.exec(href) ?? [];
  return authority !== undefined && !/[@\s\p{Cc}\p{Cf}]/u.test(authority) && isUrl(href);
}

export const isUrl = (text: string): boolean => parseUrl(text) !== undefined;

/** Not by URL.canParse: once V8 has optimised its caller, that of Node 20 and 22 says no to text beyond ASCII. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
