import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { storedNouns } from '../../../../generated/stored-fields.ts';
import { parameterSchemas } from '../../../contract/document.ts';
import { excerpt } from '../../../contract/field-errors.ts';
import type { PlainRequest } from '../../../contract/types.ts';
import { type ApiError, fieldMessagesMax, refusal } from '../../../domain/errors.ts';
import { isJsonObject } from '../../../domain/json-object.ts';
import { holdsSecret } from '../../../domain/token.ts';

/** A digest of each field's value as sent, by field. Two bodies are the same JSON if and only if their digests are equal. */
export type FieldHashes = Readonly<Record<string, string>>;

/** Hashes the parsed body before sanitizing. Numbers with the same value hash alike; key order and white space do not matter (RFC 8785). */
export function fieldHashes(body: object): FieldHashes {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, digest(value)]));
}

/** Returns the sorted names of the fields in which `sent` differs from the stored hashes. `sent` may be any JSON; only an object has fields. */
export function differingFields(stored: FieldHashes, sent: unknown): string[] {
  const fields = new Map(Object.entries(isJsonObject(sent) ? sent : {}));
  const names = new Set([...Object.keys(stored), ...fields.keys()]);
  // An absent field never equals a present one: no JSON value has the digest of undefined.
  return [...names].filter((name) => !isDigest(stored[name], fields.get(name))).sort();
}

function isDigest(hash: string | undefined, value: unknown): boolean {
  // A name that was not stored differs, whatever its value.
  if (hash === undefined) return false;
  try {
    return hash === digest(value);
  } catch {
    // Some parsed JSON cannot be serialized again, such as 50,000 nested arrays or 1e400. No contract allows such values.
    return false;
  }
}

// The package is CommonJS, but its types describe an ES module; the default import is the function.
const canonicalJson = canonicalize as unknown as (value: unknown) => string | undefined;

/** The greatest length of a key in the contract. */
const keyLengthMax = Math.max(...parameterSchemas('Idempotency-Key').map(({ maxLength = 0 }) => maxLength));

/**
 * Returns the idempotency key of a request that breaks the contract, because the request may repeat an earlier create. Returns undefined if
 * the body is missing, or if the key is too long or contains a credential or NUL.
 */
export function repeatableKey({ header, body }: Pick<PlainRequest, 'header' | 'body'>): string | undefined {
  const key = header['Idempotency-Key'];
  const isKey = typeof key === 'string' && key.length <= keyLengthMax && !key.includes('\0') && !holdsSecret(key);
  return isKey && body !== undefined ? key : undefined;
}

/** The 409 for a key that was used with another operation. */
export function usedElsewhere(noun: string, json: unknown): ApiError {
  const text = `This {{key}} was used with another operation; use another key for another ${noun}.`;
  return usedWithOther(text, differingFields({}, json));
}

const names = { key: 'Idempotency-Key' };

/** The 409 for a key that was used with other JSON. `more` adds details that help the client. */
export const usedWithOther = (text: string, differing: readonly string[], more: object = {}): ApiError =>
  refusal(
    409,
    'idempotency_key',
    { text, names },
    { differing_fields: differing.slice(0, fieldMessagesMax).map(excerpt), ...more },
  );

/** The 410 for a key whose row was removed. */
export const createdGone = (noun: (typeof storedNouns)[keyof typeof storedNouns]): ApiError =>
  refusal(410, `${noun}_removed`, {
    text: `The ${noun} that this {{key}} created was removed; use another key for another ${noun}.`,
    names,
  });

/**
 * Checks a create and runs it. A refused create may repeat an earlier success, so `replay` looks its key up before the check's error is
 * thrown; `replay` returns undefined if the key is unused.
 */
export async function createOrReplay<Checked, Answer>(
  check: () => Promise<Checked>,
  replay: () => Promise<Answer | undefined>,
  create: (checked: Checked) => Promise<Answer>,
): Promise<Answer> {
  let checked: Checked;
  try {
    checked = await check();
  } catch (error) {
    const earlier = await replay();
    if (earlier) return earlier;
    throw error;
  }
  return create(checked);
}

/** The answer to a repeated create. */
export const replayOf = <Headers extends object, Body>(made: { readonly headers: Headers; readonly body: Body }) => ({
  status: 200 as const,
  headers: { ...made.headers, 'Idempotent-Replayed': 'true' as const },
  body: made.body,
});

/** 128 bits of SHA-256: finding another value with the same digest is infeasible. */
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest('base64url')
    .slice(0, 22);
