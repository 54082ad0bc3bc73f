import { hasVisibleCharacter, rulesOf } from '../domain/job-rules.ts';

export interface HtmlSize {
  /** Code points. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** The limits of a field's HTML. A character has at most four bytes. */
export function htmlLimitsOf(field: string): HtmlSize {
  const { maxLength = 0, maxBytes = 4 * maxLength } = rulesOf.get(field) ?? {};
  return { characters: maxLength, bytes: maxBytes };
}

/** Elements after sanitizing: each costs the sanitizer up to 80 microseconds. */
export const elementsMax = 2500;

const tag = /<(?:"[^"]*"|[^">])*>/g;

/** A rule, an empty cell, a no-break or zero-width space is not visible text. */
export function hasVisibleText(html: string): boolean {
  return hasVisibleCharacter(html.replace(tag, '').replaceAll('&nbsp;', ''));
}

export const isWithin = (size: HtmlSize, limits: HtmlSize): boolean =>
  size.characters <= limits.characters && size.bytes <= limits.bytes;

/** `size` with `html` added. */
export function addSize(size: HtmlSize, html: string): HtmlSize {
  const bytes = Buffer.byteLength(html);
  const characters = bytes === html.length ? bytes : [...html].length;
  return { characters: size.characters + characters, bytes: size.bytes + bytes };
}
