import { expect } from 'chai';
import { traceparentOf } from '../../src/domain/traceparent.ts';

const valid = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';

describe('traceparent (W3C Trace Context)', () => {
  it('is accepted as it is, from a later version without what that appends', () => {
    expect(traceparentOf(valid)).to.equal(valid);
    const later = valid.replace(/^00/, '01');
    expect(traceparentOf(later)).to.equal(later);
    expect(traceparentOf(`${later}-more`)).to.equal(later);
  });

  it('is ignored with zero ids, another format or anything appended to version 00', () => {
    const others = [
      undefined,
      7,
      '',
      valid.toUpperCase(),
      `${valid}-more`,
      `${valid.replace(/^00/, '01')}more`,
      ` ${valid}`,
      valid.replace(/^00/, 'ff'),
      valid.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
      valid.replace('00f067aa0ba902b7', '0'.repeat(16)),
      valid.slice(0, -1),
    ];
    for (const value of others) expect(traceparentOf(value), String(value)).to.equal(undefined);
  });
});
