import { refusal } from '../../../domain/errors.ts';

/** Returns the tags in `ifMatch`, or undefined if it allows any version. A weak tag never matches (RFC 9110 section 13.1.1). */
const tagsIn = (ifMatch: string | undefined): string[] | undefined =>
  ifMatch === undefined || ifMatch === '*' ? undefined : (ifMatch.match(/(W\/)?"[^"]*"/g) ?? []);

/** Whether `ifMatch` allows only some versions. */
export const isConditional = (ifMatch: string | undefined): boolean => tagsIn(ifMatch) !== undefined;

/**
 * Throws 412 `changed` with `headers` if `ifMatch` does not allow the current version. For the message, `isOurs` distinguishes a tag of an
 * earlier version from one that a proxy has altered.
 */
export function assertMatches(
  ifMatch: string | undefined,
  headers: { readonly ETag: string },
  { noun, isOurs }: { readonly noun: string; readonly isOurs: (tag: string) => boolean },
): void {
  const tags = tagsIn(ifMatch);
  const { ETag } = headers;
  if (!tags || tags.includes(ETag)) return;
  const text = tags.some(isOurs)
    ? `The ${noun} has changed since the version in {{header}}; read it again.`
    : '{{header}} is not an ETag of this service; W/ or an ending such as -gzip comes from a proxy that compresses answers.';
  throw refusal(412, 'changed', { text, names: { header: 'If-Match' } }, { current_etag: ETag }, { ...headers });
}
