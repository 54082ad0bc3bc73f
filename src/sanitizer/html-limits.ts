import { hasVisibleCharacter, htmlFields, rulesOf } from '../domain/job-rules.ts';

/** Of a field's HTML, before and after sanitizing. */
export interface HtmlLimits {
  /** Code points. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** A character of HTML has at most four bytes. */
export function htmlLimitsOf(field: string): HtmlLimits {
  const { maxLength = 0, maxBytes = 4 * maxLength } = rulesOf.get(field) ?? {};
  return { characters: maxLength, bytes: maxBytes };
}

/** Elements after sanitizing: each costs the sanitizer up to 80 microseconds. */
export const elementsMax = 2500;

/** UTF-16 units of the longest field's HTML: what is longer need not be written out to be refused. */
export const htmlLengthMax = 2 * Math.max(...htmlFields.map((field) => htmlLimitsOf(field).characters));

const tag = /<(?:"[^"]*"|[^">])*>/g;

/** A rule, an empty cell, a no-break or zero-width space is not visible text. */
export function hasVisibleText(html: string): boolean {
  return hasVisibleCharacter(html.replace(tag, '').replaceAll('&nbsp;', ''));
}

export function isWithinLimits(html: string, { characters, bytes }: HtmlLimits): boolean {
  if (html.length > 2 * characters || Buffer.byteLength(html) > bytes) return false;
  if (html.length <= characters) return true;
  let count = 0;
  for (const _ of html) count += 1;
  return count <= characters;
}
