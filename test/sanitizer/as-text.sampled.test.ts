import { expect } from 'chai';
import fc from 'fast-check';
import { asText } from '../../src/sanitizer/as-text.ts';
import { normalize } from '../../src/sanitizer/normalize.ts';
import { draws } from '../helper/draws.ts';
import { brokenHtml, nestedHtml } from './html-arbitraries.ts';

/** What is stored of a body, which DOMPurify only confirms. Undefined if it is refused. */
const storedOf = (body: string): string | undefined => {
  const normalized = normalize(body);
  return normalized.kind === 'normal' ? normalized.html : undefined;
};

const lines = fc
  .array(
    fc.constantFrom(
      'um',
      ' & ',
      '<',
      ' > ',
      '&lt;',
      'R&D',
      '\n',
      '\n\n',
      '\r\n',
      ' ',
      '\u2028',
      '&nbsp;',
      '<br>',
      '<p>',
      '</p>',
    ),
  )
  .map((parts) => parts.join(''));

describe('the text of a stored body', () => {
  it('is text only where each of its line ends is one that candidates see', () => {
    for (const [stored, text] of [
      ['<p>um<br>dois</p><p>tr\u00eas &amp; 4</p>', 'um\ndois\n\ntr\u00eas & 4'],
      ['um &lt; dois', 'um < dois'],
      ['<p>um\ndois</p>', '<p>um\ndois</p>'],
      ['<p>um\ndois</p><p>tr\u00eas</p>', '<p>um\ndois</p><p>tr\u00eas</p>'],
      ['<p>um</p>', '<p>um</p>'],
      ['<p>um</p>\n<p>dois</p>', '<p>um</p>\n<p>dois</p>'],
    ] as const)
      expect(asText(stored)).to.equal(text);
  });

  it('becomes the same body when it is sent back, and with one word changed, the same but for that word', () => {
    const body = fc.tuple(fc.oneof(brokenHtml, nestedHtml, lines), fc.oneof(brokenHtml, nestedHtml, lines));
    fc.assert(
      fc.property(body, ([before, after]) => {
        const stored = storedOf(`${before} zebra ${after}`);
        if (stored === undefined) return;
        const text = asText(stored);
        expect(storedOf(text)).to.equal(stored);
        expect(storedOf(text.replace('zebra', 'girafa'))).to.equal(stored.replace('zebra', 'girafa'));
      }),
      { numRuns: draws(500, 20_000) },
    );
  });
});
