import { createHash } from 'node:crypto';

/** Strong entity tag, the same on every process (RFC 9110 section 8.8.3). */
export const etagOf = (bytes: string | Uint8Array): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
