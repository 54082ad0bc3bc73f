import type { Config } from 'dompurify';

/** The elements of a job body (section 2.1 of the requirements asks for sanitized HTML); the only attribute is `href` on `a`. */
export const allowedTags: readonly string[] =
  'p br strong b em i u s ul ol li h2 h3 h4 blockquote hr code pre sub sup table thead tbody tr th td a'.split(' ');

const linkProtocols: ReadonlySet<string> = new Set(['https:', 'mailto:', 'tel:']);

/** Whether a browser reads `href` as an absolute address of an allowed kind; relative addresses are not. */
export function isAllowedLink(href: string): boolean {
  return URL.canParse(href) && linkProtocols.has(new URL(href).protocol);
}

/** Everything that DOMPurify would let through by default is closed here; the text of an unknown element stays. */
export const purifyConfig = {
  ALLOWED_TAGS: [...allowedTags],
  ALLOWED_ATTR: ['href'],
  ALLOWED_URI_REGEXP: /^(?:https|mailto|tel):/i,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  ALLOW_SELF_CLOSE_IN_ATTR: false,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  KEEP_CONTENT: true,
  RETURN_DOM: true,
} satisfies Config;

const outsideAllowList = new RegExp(`<(?!/?(?:${allowedTags.join('|')})>|a href="(?:https|mailto|tel):[^"<>]*">)`, 'i');

/** A second opinion on serialised HTML that shares no code with the parser: nothing but allow-listed tags opens with `<`. */
export const isInsideAllowList = (html: string): boolean => !outsideAllowList.test(html);
