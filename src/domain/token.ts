import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Environment, policy, type Tenant } from './environment.ts';

const randomBytesMin = 24;
const format = /^(vaga_(?:test|live)_)([1-9a-z][0-9a-z]{0,12})_([0-9a-f]{48,})([0-9a-f]{8})$/;

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/**
 * The secret of a new credential: prefix, company in base 36, at least 192 random bits and a CRC-32 of all that.
 * The company makes the look-up a tenant's own; the checksum refuses a mistyped token without a look-up.
 */
export function makeSecret(tenant: Tenant, random: Buffer): string {
  if (random.length < randomBytesMin) throw new RangeError(`a secret needs ${randomBytesMin} random bytes`);
  const text = `${policy[tenant.environment].tokenPrefix}${tenant.companyId.toString(36)}_${random.toString('hex')}`;
  return text + checksum(text);
}

/** The tenant that a bearer token claims, or undefined where it cannot be one of ours. Proves nothing: the hash is looked up. */
export function readSecret(secret: string): Tenant | undefined {
  const match = format.exec(secret);
  if (!match) return undefined;
  const [, prefix, company, random, sum] = match as unknown as [string, string, string, string, string];
  if (checksum(`${prefix}${company}_${random}`) !== sum) return undefined;
  const environment: Environment = prefix === policy.sandbox.tokenPrefix ? 'sandbox' : 'production';
  const companyId = parseBase36(company);
  return companyId <= 2n ** 63n - 1n ? { environment, companyId } : undefined;
}

/** What is stored in place of a secret: its SHA-256. Enough for 192 random bits; a password would need a slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> => new Uint8Array(hash('sha256', secret, 'buffer'));

function parseBase36(digits: string): bigint {
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  return value;
}

/** Tells the passwords of an account apart without a hint of them: a session ends when the password that opened it is replaced. */
export const passwordMark = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');
