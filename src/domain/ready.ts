import { createHash } from 'node:crypto';

/** A body that many answers share, with its JSON made once. */
export interface Ready<B> {
  readonly body: B;
  readonly text: string;
  /** Strong entity tag of the text, the same on every process (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

export function ready<B>(body: B): Ready<B> {
  const text = JSON.stringify(body);
  return { body, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"` };
}
