import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Field name to a digest of its value as sent. Two bodies are the same JSON if and only if these maps are equal. */
export type FieldHashes = Readonly<Record<string, string>>;

/** Takes the parsed request body before sanitizing; numbers count by value, key order and white space not at all (RFC 8785). */
export function fieldHashes(body: object): FieldHashes {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, digest(value)]));
}

/** Names of the fields in which two bodies differ, sorted; none means that they are the same JSON. */
export function differingFields(a: FieldHashes, b: FieldHashes): string[] {
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...fields].filter((field) => a[field] !== b[field]).sort();
}

// The package is CommonJS and its types describe an ES module: the default import is the function itself.
const canonicalJson = canonicalize as unknown as (value: unknown) => string | undefined;

/** 128 bits of SHA-256: nobody can find another value for a key that is not theirs to reuse. */
const digest = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest('base64url')
    .slice(0, 22);
