import { createHash } from 'node:crypto';

/** Returns a strong entity tag (RFC 9110 section 8.8.3). Every process makes the same one for the same bytes. */
export const etagOf = (bytes: string | Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
