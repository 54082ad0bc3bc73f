import { createHash } from 'node:crypto';

/** A body that many answers share, serialized once. */
export interface CachedJson<B> {
  readonly body: B;
  readonly text: string;
  readonly etag: string;
}

/** Strong entity tag, the same on every process (RFC 9110 section 8.8.3). */
export const etagOf = (bytes: string | Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

export function cachedJson<B>(body: B): CachedJson<B> {
  const text = JSON.stringify(body);
  return { body, text, etag: etagOf(text) };
}

/** JSON that is too large to hold in memory, serialized piece by piece while it is sent. */
export type JsonPieces = () => Iterable<string>;
