import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { parameterSchemas } from '../../../contract/document.ts';
import { excerpt } from '../../../contract/field-errors.ts';
import type { PlainRequest } from '../../../contract/types.ts';
import { type ApiError, fieldMessagesMax, refusal } from '../../../domain/errors.ts';
import { holdsSecret } from '../../../domain/token.ts';

/** A digest of each field's value as sent. Two bodies are the same JSON if and only if these are equal. */
export type FieldHashes = Readonly<Record<string, string>>;

/** Takes the parsed body before sanitizing. Compares numbers by value and ignores key order and white space (RFC 8785). */
export function fieldHashes(body: object): FieldHashes {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, digest(value)]));
}

/** Returns the sorted names of the fields in which any JSON differs from the stored hashes. JSON that is not an object has no fields. */
export function differingFields(stored: FieldHashes, sent: unknown): string[] {
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  const fields = new Map<string, unknown>(Object.entries(isObject ? sent : {}));
  const names = new Set([...Object.keys(stored), ...fields.keys()]);
  // An absent value has the digest of no JSON.
  return [...names].filter((name) => !isDigest(stored[name], fields.get(name))).sort();
}

function isDigest(hash: string | undefined, value: unknown): boolean {
  try {
    return hash === digest(value);
  } catch {
    // Some JSON cannot be written again, such as 50,000 nested arrays or 1e400. No contract allows it.
    return false;
  }
}

// The package is CommonJS, but its types describe an ES module; the default import is the function.
const canonicalJson = canonicalize as unknown as (value: unknown) => string | undefined;

/** The longest key in the contract. */
const keyLengthMax = Math.max(...parameterSchemas('Idempotency-Key').map(({ maxLength = 0 }) => maxLength));

/**
 * The key of a request that breaks the contract, if the request may repeat an earlier create: not without a body, nor for a key that is too
 * long or contains a credential or NUL.
 */
export function repeatableKey({ header, body }: Pick<PlainRequest, 'header' | 'body'>): string | undefined {
  const key = header['Idempotency-Key'];
  const isKey = typeof key === 'string' && key.length <= keyLengthMax && !key.includes('\0') && !holdsSecret(key);
  return isKey && body !== undefined ? key : undefined;
}

/** 409 for a key that another operation was used with. */
export function usedElsewhere(noun: string, json: unknown): ApiError {
  const text = `This {{key}} was used with another operation; use another key for another ${noun}.`;
  const differing_fields = differingFields({}, json).slice(0, fieldMessagesMax).map(excerpt);
  return refusal(409, 'idempotency_key', { text, names: { key: 'Idempotency-Key' } }, { differing_fields });
}

/** 128 bits of SHA-256: finding another value with the same digest is infeasible. */
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest('base64url')
    .slice(0, 22);
