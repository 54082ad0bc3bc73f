import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { decodeHTML } from 'entities/decode';
import { type Environment, policy, type Tenant } from './environment.ts';

const randomBytesMin = 24;
const format = /^(vaga_(?:test|live)_)([1-9a-z][0-9a-z]{0,12})_([0-9a-f]{48,})([0-9a-f]{8})$/;

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/**
 * Makes the secret of a credential: prefix, company in base 36, at least 192 random bits, and a CRC-32 of these. The prefix and company limit
 * a lookup to one tenant. The checksum lets the service refuse a mistyped token without a lookup.
 */
export function makeSecret(tenant: Tenant, random: Buffer): string {
  if (random.length < randomBytesMin) throw new RangeError(`a secret needs ${randomBytesMin} random bytes`);
  const text = `${policy[tenant.environment].tokenPrefix}${tenant.companyId.toString(36)}_${random.toString('hex')}`;
  return text + checksum(text);
}

/** Returns the tenant that a bearer token claims, or undefined if the token is malformed. Only a lookup of its hash proves the claim. */
export function readSecret(secret: string): Tenant | undefined {
  const match = format.exec(secret);
  if (!match) return undefined;
  const [, prefix = '', company = '', random = '', sum] = match;
  if (checksum(`${prefix}${company}_${random}`) !== sum) return undefined;
  const environment: Environment = prefix === policy.sandbox.tokenPrefix ? 'sandbox' : 'production';
  const companyId = parseBase36(company);
  return companyId <= 2n ** 63n - 1n ? { environment, companyId } : undefined;
}

/** The fewest characters of a secret or of a password link. */
const charactersMin = 'vaga_link_'.length + 48;

const anywhere = /vaga_(?:(?:test|live)_[1-9a-z][0-9a-z]{0,12}|link)_[0-9a-f]{48}/i;

/** Each form has two underscores or more, which few texts have. */
const isInPieces = (text: string): boolean =>
  text.indexOf('_', text.indexOf('_') + 1) > 0 &&
  (anywhere.test(text.replace(/\W+/g, '')) || anywhere.test(text.replace(/<[^<>]*>|\W/g, '')));

/** Texts that were encoded twice, or in HTML and in an address, are read back by decoding them twice. */
const decodings = 2;

const decoded = (text: string): string =>
  (text.includes('&') ? decodeHTML(text) : text).replace(/%([\da-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/**
 * Whether a text contains something in the form of a credential's secret or of a password link, even if mistyped or in pieces. Reads the text
 * in each way that somebody may: as it is, without tags, and with HTML's character references and an address's percent-encoding decoded.
 */
export function holdsSecret(text: string): boolean {
  if (text.length < charactersMin) return false;
  for (let reading = text, round = 0; ; round++) {
    if (isInPieces(reading)) return true;
    const next = decoded(reading);
    if (round === decodings || next === reading) return false;
    reading = next;
  }
}

/** Removes whatever begins like a secret. Ignores case, because a library's error may repeat a secret in capitals (body-parser: a charset). */
export const withoutSecrets = (text: string): string =>
  text.replace(/vaga_(test|live|link)_\w+/gi, 'vaga_$1_[removed]');

/** The message about a text that holds a secret. It never repeats the text. */
export const secretMessage =
  'must not contain a credential or a password link: remove it, and revoke it, because others may have read it';

/** The stored form of a secret: its SHA-256, which suffices for 192 random bits. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(hash('sha256', secret, 'buffer'));

function parseBase36(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}
