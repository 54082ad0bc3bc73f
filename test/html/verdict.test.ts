import { expect } from 'chai';
import type { Outcome } from '../../src/html/pool.ts';
import { acceptedHtml } from '../../src/html/verdict.ts';
import { bodyRefusal, refusalOf } from './refused.ts';

describe('the verdict on an outcome', () => {
  const verdict = async (outcome: Outcome): Promise<string> => acceptedHtml(outcome);

  it('what the parser, the memory or the deadline ended is 422 on body', async () => {
    for (const kind of ['unparsable', 'unstable', 'died', 'deadline', 'long'] as const) {
      expect(await bodyRefusal(verdict({ kind })), kind).to.match(/close your tags/);
    }
  });

  it('a result that would be refused when sent again is refused now', async () => {
    expect(await bodyRefusal(verdict({ kind: 'clean', html: 'x'.repeat(30_001) }))).to.match(/at most/);
    expect(await bodyRefusal(verdict({ kind: 'clean', html: '<b>'.repeat(101) }))).to.match(/open at once/);
    expect(await bodyRefusal(verdict({ kind: 'clean', html: '<p></p>' }))).to.match(/text that can be read/);
  });

  it("a worker that did not begin is 503, never the client's fault", async () => {
    const { status, headers } = await refusalOf(verdict({ kind: 'late' }));
    expect(status).to.equal(503);
    expect(headers).to.have.property('Retry-After');
  });
});
