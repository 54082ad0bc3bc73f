import { expect } from 'chai';
import { InFlightLimit, type Slot } from '../../src/rate-limit/in-flight-limit.ts';

describe('InFlightLimit', () => {
  const take = (limit: InFlightLimit, claimed?: bigint): Slot | undefined => limit.take(() => claimed);

  it('one company gets a quarter of all slots; the others still get theirs', () => {
    const limit = new InFlightLimit(12);
    const own = [1, 2, 3].map(() => take(limit, 1n));
    expect(own.map((slot) => slot?.assign(1n))).to.deep.equal([true, true, true]);
    expect(take(limit, 1n), 'by its claim').to.equal(undefined);
    const late = take(limit);
    expect(late?.assign(1n), 'once it is known').to.equal(false);
    expect(take(limit, 2n)?.assign(2n)).to.equal(true);
    expect(limit.stats()).to.deep.equal({ inFlight: 5, overloadRefusals: 2 });
    late?.release();
    own[0]?.release();
    expect(take(limit, 1n)?.assign(1n)).to.equal(true);
  });

  it('an unverified claim does not count against the company that it names', () => {
    const limit = new InFlightLimit(12);
    for (let n = 0; n < 6; n++) take(limit, 1n);
    expect(take(limit, 1n)?.assign(1n)).to.equal(true);
  });

  it('a slot released before authentication counts towards no company', () => {
    const limit = new InFlightLimit(12);
    for (let n = 0; n < 6; n++) {
      const slot = take(limit);
      slot?.release();
      expect(slot?.assign(1n)).to.equal(true);
    }
    expect(take(limit, 1n)?.assign(1n)).to.equal(true);
  });

  it('past the limit there is no slot until one is released', () => {
    const limit = new InFlightLimit(2);
    const [first] = [take(limit), take(limit)];
    expect(take(limit)).to.equal(undefined);
    first?.release();
    expect(limit.stats()).to.deep.equal({ inFlight: 1, overloadRefusals: 1 });
    expect(take(limit)).not.to.equal(undefined);
  });
});
