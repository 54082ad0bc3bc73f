import { expect } from 'chai';
import fc from 'fast-check';
import { type Purified, purify } from '../../src/sanitizer/purify.ts';
import { richText, sloppyBodies, wellFormedBodies } from './bodies.ts';

const clean = (html: string): Purified => ({ kind: 'clean', html });

describe('honest bodies', function () {
  this.timeout(60_000);

  for (const [name, html] of Object.entries(wellFormedBodies)) {
    it(`leaves ${name} unchanged`, () => {
      expect(html).to.have.length.within(10_000, 30_000);
      expect(purify(html)).to.deep.equal(clean(html));
    });
  }

  for (const [name, html] of Object.entries(sloppyBodies)) {
    it(`accepts ${name}, and a second pass changes nothing`, () => {
      expect(html).to.have.length.within(10_000, 30_000);
      const once = purify(html);
      if (once.kind !== 'clean') expect.fail(once.kind);
      expect(purify(once.html)).to.deep.equal(once);
    });
  }

  it('leaves any well-formed rich text unchanged', () => {
    fc.assert(
      fc.property(richText, (html) => {
        expect(purify(html)).to.deep.equal(clean(html));
      }),
      { numRuns: 1000 },
    );
  });
});
