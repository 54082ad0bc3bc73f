import { expect } from 'chai';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { allowedTags } from '../../src/sanitizer/html-rules.ts';
import { purify } from '../../src/sanitizer/purify.ts';
import { richText, sloppyBodies, wellFormedBodies } from './bodies.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { brokenHtml } from './html-arbitraries.ts';

describe('purify', function () {
  this.timeout(120_000);
  const { document } = new JSDOM('', { runScripts: 'outside-only' }).window;

  function expectAllowed(html: string): void {
    const container = document.createElement('div');
    container.innerHTML = html;
    for (const element of container.querySelectorAll('*')) {
      expect(allowedTags).to.include(element.localName);
      expect(element.namespaceURI).to.equal('http://www.w3.org/1999/xhtml');
      for (const { name, value } of element.attributes) {
        expect([element.localName, name]).to.deep.equal(['a', 'href']);
        expect(value).to.match(/^(?:https|mailto|tel):/i);
      }
    }
  }

  /** Expects allowed elements only, and no change in a second pass. */
  function expectClean(html: string): void {
    const once = purify(html);
    if (once.kind !== 'clean') expect.fail(once.kind);
    expectAllowed(once.html);
    expect(purify(once.html)).to.deep.equal(once);
  }

  it('leaves only allowed elements and links in any HTML, DOMPurify agrees, and a second pass changes nothing', () => {
    const any = fc.oneof(brokenHtml, richText, fc.tuple(richText, brokenHtml).map(String));
    fc.assert(fc.property(any, expectClean), { numRuns: 3500 });
  });

  it('accepts what people paste, and leaves well-formed HTML unchanged', () => {
    for (const html of Object.values(wellFormedBodies)) expect(purify(html)).to.deep.equal({ kind: 'clean', html });
    for (const html of Object.values(sloppyBodies)) expectClean(html);
    for (const html of Object.values({ ...wellFormedBodies, ...sloppyBodies }))
      expect(html).to.have.length.within(10_000, 30_000);
    const unchanged = (html: string) => expect(purify(html)).to.deep.equal({ kind: 'clean', html });
    fc.assert(
      fc.property(richText, (html) => void unchanged(html)),
      { numRuns: 1000 },
    );
  });

  for (const [name, html] of Object.entries(hostileBodies))
    it(`${name}: clean and stable, or refused`, () => {
      const { kind } = purify(html);
      expect(kind).to.be.oneOf(['clean', 'complex', 'long']);
      if (kind === 'clean') expectClean(html);
    });
});
