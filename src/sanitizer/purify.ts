import createDOMPurify from 'dompurify';
import { JSDOM } from 'jsdom';
import { isAllowedLink, isInsideAllowList, purifyConfig } from './allow-list.ts';
import type { HtmlSize } from './html-limits.ts';
import { type Normalized, normalize } from './normalize.ts';

export type Purified =
  | { kind: 'clean'; html: string }
  | Exclude<Normalized, { kind: 'normal' }>
  | { kind: 'unparsable' };

const purifier = createDOMPurify(new JSDOM('').window);
purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (node.nodeName !== 'A' || !isAllowedLink(attribute.attrValue)) attribute.keepAttr = false;
});

/** Normalizes a body, which makes it cheap to parse, and lets DOMPurify confirm the result. Never throws. */
export function purify(html: string, limits?: HtmlSize): Purified {
  try {
    const normalized = normalize(html, limits);
    if (normalized.kind !== 'normal') return normalized;
    // RETURN_DOM returns the body element; the types say Node.
    const { innerHTML } = purifier.sanitize(normalized.html, purifyConfig) as HTMLElement;
    const isConfirmed = innerHTML === normalized.html && isInsideAllowList(innerHTML);
    return isConfirmed ? { kind: 'clean', html: innerHTML } : { kind: 'unparsable' };
  } catch {
    return { kind: 'unparsable' };
  }
}
