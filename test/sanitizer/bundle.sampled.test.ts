import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { packageRoot } from '../../src/database/prisma-folder.ts';
import { purify } from '../../src/sanitizer/purify.ts';
import { draws, sample } from '../helper/draws.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { brokenHtml, nestedHtml } from './html-arbitraries.ts';
import { pastedBodies } from './pasted-bodies.ts';
import { sentAttributes, sentBodies } from './sent-bodies.ts';

describe("the bundled thread, which leaves jsdom's styles and requests out", () => {
  it('answers every body as the whole jsdom does', async () => {
    const bundled: { purify: typeof purify } = await import(join(packageRoot, 'dist/bin/purify.js'));
    const expectSame = (html: string): void => {
      expect(bundled.purify(html), html).to.deep.equal(purify(html));
    };
    for (const [html] of [...sentBodies, ...sentAttributes]) expectSame(html);
    for (const { pasted } of Object.values(pastedBodies)) expectSame(pasted);
    for (const html of sample(Object.values(hostileBodies), 6)) expectSame(html);
    fc.assert(fc.property(fc.oneof(brokenHtml, nestedHtml), expectSame), { numRuns: draws(100, 2000) });
  });
});
