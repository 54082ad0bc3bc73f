import type { Message } from './message.ts';
import { holdsSecret } from './token.ts';

// Matches characters that RFC 3986 does not allow after the host. A second # is checked separately.
const outside = /[^\w\-.~:/?#@!$&'()*+,;=%]/gu;
// The URL parser accepts these in a host; RFC 3986 does not.
const notInHost = /["`{}]/;

/**
 * Returns what is wrong with the address of a web page. A valid one is an https URL (RFC 9110 section 4.2.2) in ASCII, with a host that
 * browsers read exactly as written. Expects well-formed text.
 */
export function httpsAddressErrors(address: string): Message[] {
  const trimmed = address.trim();
  if (trimmed !== address)
    return [{ text: 'must have no white space before or after it' }, ...httpsAddressErrors(trimmed)];
  const [, user, authority, rest = ''] = /^https:\/\/(?:([^/?#]*)@)?([^/?#]*)(.*)$/isu.exec(address) ?? [];
  if (authority === undefined) return [{ text: 'must begin with https://' }];
  const errors = user === undefined ? [] : [{ text: 'must not contain a user name or password' }];
  return [...errors, ...hostErrors(authority), ...restErrors(`https://${authority}`, rest)];
}

function hostErrors(authority: string): Message[] {
  const host = authority.replace(/:\d*$/, '');
  if (host === '') return [{ text: 'must have a host after https://' }];
  const read = parseUrl(`https://${authority}`)?.hostname;
  if (read === undefined || notInHost.test(host))
    return [
      { text: 'must have a host that is a valid name or address', advice: ', and a port from 0 to 65535 or none' },
    ];
  // Not toLowerCase, which turns the Kelvin sign into an ASCII k.
  const isRead = read === host.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return isRead ? [] : [{ text: 'must have its host as browsers read it', advice: ': {{read}}', params: { read } }];
}

function restErrors(start: string, rest: string): Message[] {
  const fragmentAt = rest.indexOf('#') + 1 || rest.length;
  const [before, fragment] = [rest.slice(0, fragmentAt), rest.slice(fragmentAt)];
  const wrong = new Set([...(rest.match(outside) ?? []), ...(fragment.includes('#') ? ['#'] : [])]);
  const errors = /%(?![\da-f]{2})/i.test(rest) ? [{ text: 'must have two hexadecimal digits after each %' }] : [];
  if (wrong.size === 0) return errors;
  const right = start + encoded(before) + encoded(fragment).replaceAll('#', '%23');
  const named = [...wrong].slice(0, namedMax);
  const text = 'must have {{characters}} after its host percent-encoded';
  const isShown = right.length <= shownMax && !holdsSecret(right);
  return [
    {
      text,
      advice: isShown ? ': {{right}}' : '',
      params: {
        characters: named.map((one) => JSON.stringify(one)).join(', '),
        codes: named.map(encodeURIComponent).join(', '),
        right,
      },
    },
    ...errors,
  ];
}

const namedMax = 20;
const shownMax = 2048;
const encoded = (text: string): string =>
  text.replaceAll(/%(?![\da-f]{2})/gi, '%25').replaceAll(outside, encodeURIComponent);

/** A name of 253 characters (RFC 1035) with a port. The time to parse a host may be quadratic in its length. */
const authorityMax = 259;

/**
 * Whether a link leads over https or http to the host that a reader sees. False for an address that browsers repair (`https:x`,
 * `https:///x`, a backslash, a line break in the host), for a user name that hides the host, and for a host longer than a name can be.
 */
export function isPlainWebLink(href: string): boolean {
  const [, authority] = /^https?:\/\/([^/?#\\]+)/iu.exec(href) ?? [];
  if (authority === undefined || authority.length > authorityMax) return false;
  return !/[@\s\p{Cc}\p{Cf}]/u.test(authority) && isUrl(href);
}

/** Returns an address as browsers read it, in ASCII: letters of other scripts in its host become `xn--`. Any other text is returned unchanged. */
export const addressAsRead = (text: string): string => parseUrl(text)?.href ?? text;

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
