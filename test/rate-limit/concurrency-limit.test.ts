import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { ConcurrencyLimit } from '../../src/rate-limit/concurrency-limit.ts';
import { refusalOf } from '../sanitizer/sanitize-refused.ts';

/** Work that ends when it is told to. */
class Work {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, { end: () => void; fail: (error: Error) => void }>();

  run = (limit: ConcurrencyLimit, company: bigint, name: string): Promise<void> =>
    limit.run(company, () => {
      this.begun.push(name);
      return new Promise((end, fail) => this.#ends.set(name, { end, fail }));
    });

  end = (name: string): void => this.#ends.get(name)?.end();
  fail = (name: string): void => this.#ends.get(name)?.fail(new Error(name));
}

describe('ConcurrencyLimit', () => {
  it('starts waiting work in order, and never makes other companies wait', async () => {
    const [limit, work] = [new ConcurrencyLimit(2), new Work()];
    const done = ['a1', 'a2', 'a3', 'a4'].map((name) => work.run(limit, 1n, name));
    done.push(work.run(limit, 2n, 'b1'));
    await new Promise(setImmediate);
    expect(work.begun).to.deep.equal(['a1', 'a2', 'b1']);
    for (const name of ['a2', 'a1', 'a3', 'a4', 'b1']) {
      work.end(name);
      await new Promise(setImmediate);
    }
    await Promise.all(done);
    expect(work.begun).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('frees the place of failed work', async () => {
    const [limit, work] = [new ConcurrencyLimit(1), new Work()];
    const first = work.run(limit, 1n, 'a1').catch((error: Error) => error.message);
    const second = work.run(limit, 1n, 'a2');
    await new Promise(setImmediate);
    work.fail('a1');
    expect(await first).to.equal('a1');
    await new Promise(setImmediate);
    work.end('a2');
    await second;
  });

  it('a wait that is too long ends with 503 and frees its place in the queue', async () => {
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const [limit, work] = [new ConcurrencyLimit(1, 900), new Work()];
      const first = work.run(limit, 1n, 'a1');
      const late = refusalOf(work.run(limit, 1n, 'a2'));
      await clock.tickAsync(900);
      const { status, details } = await late;
      expect([status, details.reason]).to.deep.equal([503, 'overload']);
      work.end('a1');
      await first;
      expect(work.begun).to.deep.equal(['a1']);
    } finally {
      clock.uninstall();
    }
  });
});
