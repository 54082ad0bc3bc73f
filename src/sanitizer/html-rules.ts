import type { Config } from 'dompurify';
import type { HtmlSize } from '../domain/field-rules.ts';
import { isPlainWebLink, isUrl } from '../domain/https-address.ts';

/** The elements of a job body (section 2.1 of the requirements asks for sanitized HTML). */
export const allowedTags: readonly string[] =
  'p br strong b em i u s ul ol li h2 h3 h4 blockquote hr code pre sub sup table thead tbody tfoot tr th td a'.split(
    ' ',
  );

/** Elements whose content browsers do not show, and drawings and formulas, of which no text is kept. */
export const hidingTags: readonly string[] =
  'audio iframe math noembed noframes noscript script selectedcontent style svg template title video'.split(' ');

/** Allows absolute https, http, mailto and tel URLs that browsers resolve as written. Relative URLs are not allowed. */
const isAllowedLink = (href: string): boolean =>
  /^https?:/i.test(href) ? isPlainWebLink(href) : /^(?:mailto|tel):/i.test(href) && isUrl(href);

/** Reads a whole number as HTML does. Spans of at most 50 keep a table of 2500 elements narrow in every browser. */
const integer = (min: number, max: number) => (text: string) => {
  const value = Number.parseInt(text, 10);
  return value >= min && value <= max ? String(value) : undefined;
};
const spans = { colspan: integer(2, 50), rowspan: integer(2, 50) };

/**
 * The attributes that each element keeps, in the order in which they are stored. Each function returns the value to store, or undefined if
 * the attribute is removed.
 */
export const keptAttributes: Readonly<Record<string, Readonly<Record<string, (text: string) => string | undefined>>>> =
  {
    a: { href: (text) => (isAllowedLink(text.trim()) ? text.trim() : undefined) },
    ol: { start: integer(-9999, 9999) },
    td: spans,
    th: spans,
  };

/** Turns off what DOMPurify allows by default beyond the elements and attributes above. Keeps the text of removed elements. */
export const purifyConfig = {
  ALLOWED_TAGS: [...allowedTags],
  ALLOWED_ATTR: Object.values(keptAttributes).flatMap(Object.keys),
  ADD_URI_SAFE_ATTR: ['start', 'colspan', 'rowspan'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  ALLOW_SELF_CLOSE_IN_ATTR: false,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  KEEP_CONTENT: true,
  RETURN_DOM: true,
} satisfies Config;

const link = '(?:https?://[^"<>/?#@\\\\\\s]|(?:mailto|tel):)[^"<>]*';
const numbered = 'ol start="-?\\d{1,4}"|t[dh](?: colspan="\\d\\d?")?(?: rowspan="\\d\\d?")?';
const outsideAllowList = new RegExp(`<(?!/?(?:${allowedTags.join('|')})>|(?:a href="${link}"|${numbered})>)`, 'i');

/** A second check that shares no code with the parser: whether every `<` in serialized HTML begins an allowed tag. */
export const isInsideAllowList = (html: string): boolean => !outsideAllowList.test(html);

/** The most elements after sanitizing. Each costs the sanitizer up to 80 microseconds. */
export const elementsMax = 2500;

export const isWithin = (size: HtmlSize, limits: HtmlSize): boolean =>
  size.characters <= limits.characters && size.bytes <= limits.bytes;

/** Adds the size of `html` to `size`. */
export function addSize(size: HtmlSize, html: string): HtmlSize {
  const bytes = Buffer.byteLength(html);
  const characters = bytes === html.length ? bytes : [...html].length;
  return { characters: size.characters + characters, bytes: size.bytes + bytes };
}
