import { expect } from 'chai';
import { skipIn } from './fault.ts';
import { faults } from './table.ts';

/** Tests the short form of faults that `npm run faults` runs at length. */
export function keepTheirPromises(...names: readonly string[]): void {
  for (const { name, promise, run } of faults.filter((fault) => names.includes(fault.name)))
    it(promise, async function () {
      const { broken, figures } = await run('short').catch(skipIn(this));
      expect(broken, `${name}: ${figures}`).to.deep.equal([]);
    });
}
