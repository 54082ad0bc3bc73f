import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A digest of each field's value as sent. Two bodies are the same JSON if and only if these are equal. */
export type FieldHashes = Readonly<Record<string, string>>;

/** Takes the parsed body before sanitizing. Compares numbers by value and ignores key order and white space (RFC 8785). */
export function fieldHashes(body: object): FieldHashes {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, digest(value)]));
}

/** Returns the sorted names of the fields that differ. */
export function differingFields(a: FieldHashes, b: FieldHashes): string[] {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...fields].filter((field) => a[field] !== b[field]).sort();
}

// The package is CommonJS, but its types describe an ES module; the default import is the function.
const canonicalJson = canonicalize as unknown as (value: unknown) => string | undefined;

/** 128 bits of SHA-256: finding another value with the same digest is infeasible. */
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest('base64url')
    .slice(0, 22);
