import { createHash } from 'node:crypto';

/** A body that many answers share, with its JSON made once. */
export interface CachedJson<B> {
  readonly body: B;
  readonly text: string;
  readonly etag: string;
}

/** Strong entity tag of some bytes, the same on every process that serves them (RFC 9110 section 8.8.3). */
export const etagOf = (bytes: string | Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

export function cachedJson<B>(body: B): CachedJson<B> {
  const text = JSON.stringify(body);
  return { body, text, etag: etagOf(text) };
}

/** JSON too large to be held as one text: made piece by piece while it is sent. Each call makes it anew. */
export type JsonPieces = () => Iterable<string>;
