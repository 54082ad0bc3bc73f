import { expect } from 'chai';
import fc from 'fast-check';
import { hidingTags } from '../../src/sanitizer/html-rules.ts';
import { purify } from '../../src/sanitizer/purify.ts';
import { draws } from '../helper/draws.ts';
import { nestedHtml } from './html-arbitraries.ts';
import { escapedBodies, sentAttributes, sentBodies } from './sent-bodies.ts';
import { linesIn, parsed } from './what-is-read.ts';

/** The stored form of a body. Sent again, it is stored unchanged. */
const stored = (sent: string): string => {
  const once = purify(sent);
  if (once.kind !== 'clean') expect.fail(`${once.kind}: ${sent}`);
  expect(purify(once.html), sent).to.deep.equal(once);
  return once.html;
};

const single = (line: string): string => line.replaceAll(/\s+/g, ' ').trim();

const textLine = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('Carta B', '- Inglês', '  * R&D', '1 > 0', '', ' ', '\u00a0', '😀', '"x"', "d'água",
    'https://x.pt/?a=1&region=2&section=3&copy=4', '&notificação', '&copy 2026', 'AT&T &', '&#10 &#x41') },
  fc.string({ unit: 'grapheme', maxLength: 9 }),
); // biome-ignore format: a table
const lineEnd = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n \r\n');
const text = fc
  .array(fc.tuple(textLine, lineEnd), { minLength: 1, maxLength: 12 })
  .map((lines) => lines.flat().join(''))
  .filter((sent) => !sent.includes('<') && !/&(?:[a-z\d]+|#[\da-fx]+);/i.test(sent));

const angled = fc.constantFrom(
  ' List<String> ',
  ' <3 ',
  '<rh@x.pt>',
  '<https://x.pt/>',
  ' a <5 ',
  '</3',
  ' <! ',
  '<->',
);

/** Whether all characters but white space occur in `whole`, in their order. */
function isPartOf(part: string, whole: string): boolean {
  let at = -1;
  return [...part.replaceAll(/\s/g, '')].every((character) => {
    at = whole.indexOf(character, at + 1);
    return at >= 0;
  });
}

describe('what is sent as a body', () => {
  it('is understood as its author meant it', () => {
    for (const [sent, ...lines] of sentBodies) expect(linesIn(stored(sent)).map(single), sent).to.deep.equal(lines);
  });

  it('may be about any element that hides its content', () => {
    const tags = [...hidingTags, 'textarea'].flatMap((name) => [`<${name}>`, `<${name.toUpperCase()} lang=pt>`]);
    for (const tag of [...tags, '<desc>', '<foreignObject>', '<annotation-xml>'])
      expect(linesIn(stored(`<p>Sabe ${tag}.</p>Fim`)).map(single)).to.deep.equal([`Sabe ${tag}.`, 'Fim']);
  });

  it('keeps links and numbers', () => {
    for (const [sent, kept] of sentAttributes) expect(stored(sent)).to.equal(kept);
  });

  it('is refused if all its tags are escaped', () => {
    for (const sent of escapedBodies) expect(purify(sent), sent).to.deep.equal({ kind: 'escaped' });
  });

  it('of one line stays unchanged, except for references', () => {
    for (const sent of ['Um', ' Um \n', '\r\nUm > dois', 'a "b"\tc']) expect(linesIn(stored(sent))).to.have.length(1);
    expect(stored('Um > dois')).to.equal('Um &gt; dois');
  });

  it('without < keeps the sent lines', () => {
    fc.assert(
      fc.property(text, (sent) => {
        const lines = sent.split(/\r\n?|[\n\f\v\u0085\u2028\u2029]/).map(single);
        expect(linesIn(stored(sent)).map(single)).to.deep.equal(lines.filter((line) => line !== ''));
      }),
      { numRuns: draws(50, 1500) },
    );
  });

  it('keeps every word that a browser shows, and angle brackets that form no tag', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nestedHtml, angled), { minLength: 1, maxLength: 4 }), (parts) => {
        const kept = parsed(stored(parts.flat().join(''))).textContent ?? '';
        expect(isPartOf(parsed(parts.flat().join('')).textContent ?? '', kept), kept).to.equal(true);
        expect(isPartOf(parts.map(([, angles]) => angles).join(''), kept), kept).to.equal(true);
      }),
      { numRuns: draws(30, 800) },
    );
  });
});
