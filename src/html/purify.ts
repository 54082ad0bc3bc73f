import type DOMPurify from 'dompurify';
import type { DOMWindow } from 'jsdom';
import { bodyCharactersMax } from '../domain/job-rules.ts';
import { isAllowedLink, isInsideAllowList, purifyConfig } from './allow-list.ts';

/** What became of a body in a worker. */
export type Purified =
  | { kind: 'clean'; html: string }
  | { kind: 'long' }
  | { kind: 'unstable' }
  | { kind: 'unparsable' };

export type Purify = (html: string) => Purified;

// A misnested table or a few blank lines at the head of `pre` need two or three.
const passesMax = 6;

/**
 * Loads jsdom, which takes the most of a second; what it gives makes a purifier with a window of its own. A purifier never throws:
 * what the parser cannot take, a stack overflow included, is `unparsable`.
 */
export async function loadPurify(): Promise<() => Purify> {
  const { JSDOM } = await import('jsdom');
  const { default: createDOMPurify } = await import('dompurify');
  return () => createPurify(createDOMPurify, new JSDOM('').window);
}

function createPurify(createDOMPurify: typeof DOMPurify, window: DOMWindow): Purify {
  const purifier = createDOMPurify(window);
  purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
    if (node.nodeName !== 'A' || !isAllowedLink(attribute.attrValue)) attribute.keepAttr = false;
  });
  const parser = new window.DOMParser();

  // As DOMPurify does it: the parser drops white space before the body, DOMPurify keeps it.
  const reparse = (html: string): string =>
    (/^[\r\n\t ]+/.exec(html)?.[0] ?? '') + parser.parseFromString(html, 'text/html').body.innerHTML;

  const purify = (html: string): Purified => {
    let current = html;
    for (let pass = 0; pass < passesMax; pass += 1) {
      // With RETURN_DOM it is the body element, which the types call a node; a frameset document has none.
      const body = purifier.sanitize(current, purifyConfig) as HTMLElement | null;
      const next = body?.innerHTML ?? '';
      if (next.length > 2 * bodyCharactersMax) return { kind: 'long' };
      const isFixed = next === current || reparse(next) === next;
      if (isFixed && isInsideAllowList(next)) return { kind: 'clean', html: next };
      current = next;
    }
    return { kind: 'unstable' };
  };

  return (html) => {
    try {
      return purify(html);
    } catch {
      return { kind: 'unparsable' };
    }
  };
}
