import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { FairQueue } from '../../src/sanitizer/fair-queue.ts';

describe('the queue of bodies', () => {
  it('watches the time-out of work only until the work begins', async () => {
    const queue = new FairQueue(1);
    const { signal } = new AbortController();
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const [first, second] = [queue.run(1n, signal, work), queue.run(2n, signal, work)];
    expect(getEventListeners(signal, 'abort')).to.have.length(1);
    ends[0]?.();
    await first;
    expect(getEventListeners(signal, 'abort')).to.have.length(0);
    expect(ends).to.have.length(2);
    ends[1]?.();
    await second;
    expect(queue.running).to.equal(0);
  });

  it('lets nobody wait who has given up, and passes the place on to the next', async () => {
    const queue = new FairQueue(1);
    const patient = new AbortController();
    const impatient = new AbortController();
    let end = () => {};
    const first = queue.run(1n, patient.signal, () => new Promise<void>((resolve) => (end = resolve)));
    const given = queue.run(2n, impatient.signal, async () => 'never').catch((error: unknown) => error);
    const last = queue.run(3n, patient.signal, async () => 'done');
    impatient.abort('given up');
    expect(await given).to.equal('given up');
    end();
    await first;
    expect(await last).to.equal('done');
    expect(queue.running).to.equal(0);
  });
});
