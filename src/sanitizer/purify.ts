import { isMainThread } from 'node:worker_threads';
import createDOMPurify from 'dompurify';
import { JSDOM } from 'jsdom';
import type { HtmlSize } from '../domain/field-rules.ts';
import { isInsideAllowList, keptAttributes, purifyConfig } from './html-rules.ts';
import { type Normalized, normalize } from './normalize.ts';

export type Purified =
  | { kind: 'clean'; html: string }
  | Exclude<Normalized, { kind: 'normal' }>
  | { kind: 'unparsable' };

const purifier = createDOMPurify(new JSDOM('').window);
purifier.addHook('uponSanitizeAttribute', (node, attribute) => {
  const kept = keptAttributes[node.nodeName.toLowerCase()]?.[attribute.attrName];
  if (kept?.(attribute.attrValue) === undefined) attribute.keepAttr = false;
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

const section = `<h2>Engenheiro de software</h2><p>Procuramos <strong>talento</strong> &amp; <em>vontade</em>; ver
<a href="https://example.pt/vagas?id=1&amp;ref=2" class="link">a página</a>.</p><ul><li>um</li><li>dois <b>três</b><li>quatro</ul>
<div><span style="color: red">texto</span></div><table><tr><td>a</td><td>b</td></tr></table>`;
const warmUpRounds = isMainThread ? 0 : 1;

// In a worker, warms up the JIT before the pool sends the first body.
for (let round = 0; round < warmUpRounds; round += 1) purify(section.repeat(8));

export interface Task {
  readonly html: string;
  readonly limits?: HtmlSize;
}

/** Runs one task of the pool. */
export default ({ html, limits }: Task) => purify(html, limits);
