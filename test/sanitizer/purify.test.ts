import { expect } from 'chai';
import fc from 'fast-check';
import { JSDOM } from 'jsdom';
import { allowedTags } from '../../src/sanitizer/allow-list.ts';
import { purify } from '../../src/sanitizer/purify.ts';
import { richText } from './bodies.ts';
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

  it('leaves only allowed elements and links in any HTML, and DOMPurify agrees', () => {
    fc.assert(
      fc.property(brokenHtml, (html) => {
        const purified = purify(html);
        if (purified.kind !== 'clean') expect.fail(purified.kind);
        expectAllowed(purified.html);
      }),
      { numRuns: 1500 },
    );
  });

  it('changes nothing in a second pass, for any HTML', () => {
    fc.assert(
      fc.property(fc.oneof(brokenHtml, richText, fc.tuple(richText, brokenHtml).map(String)), (html) => {
        const once = purify(html);
        if (once.kind !== 'clean') expect.fail(once.kind);
        expect(purify(once.html)).to.deep.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  for (const [name, html] of Object.entries(hostileBodies)) {
    it(`${name}: clean and stable, or refused`, () => {
      const once = purify(html);
      expect(once.kind).to.be.oneOf(['clean', 'complex', 'long']);
      if (once.kind !== 'clean') return;
      expectAllowed(once.html);
      expect(purify(once.html)).to.deep.equal(once);
    });
  }
});
