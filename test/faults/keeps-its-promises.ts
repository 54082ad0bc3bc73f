import { expect } from 'chai';
import { type Fault, Skipped } from './fault.ts';

/** The short form of a fault that `npm run faults` runs at length. */
export function keepsItsPromises(fault: Fault): Mocha.AsyncFunc {
  return async function () {
    const outcome = await fault.run('short').catch((error: unknown) => {
      if (error instanceof Skipped) return this.skip();
      throw error;
    });
    expect(outcome.broken, outcome.figures).to.deep.equal([]);
  };
}
