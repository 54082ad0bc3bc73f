import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { ConcurrencyLimit } from '../../src/domain/concurrency-limit.ts';
import { Lifetime } from '../../src/domain/lifetime.ts';
import { refusalOf } from '../sanitizer/sanitize-refused.ts';

/** Work that ends when it is told to. */
class Work {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, { end: () => void; fail: (error: Error) => void }>();

  run = (limit: ConcurrencyLimit<bigint>, company: bigint, name: string, lifetime = new Lifetime()): Promise<void> =>
    limit.run(company, lifetime, () => {
      this.begun.push(name);
      return new Promise<void>((end, fail) => this.#ends.set(name, { end, fail }));
    });

  end = (name: string): void => this.#ends.get(name)?.end();
  fail = (name: string): void => this.#ends.get(name)?.fail(new Error(name));
}

describe('ConcurrencyLimit', () => {
  it('starts waiting work in order, and never makes other companies wait', async () => {
    const [limit, work] = [new ConcurrencyLimit<bigint>({ maxPerKey: 2 }), new Work()];
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
    const [limit, work] = [new ConcurrencyLimit<bigint>({ maxPerKey: 1 }), new Work()];
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
      const [limit, work] = [new ConcurrencyLimit<bigint>({ maxPerKey: 1, waitMs: 900 }), new Work()];
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

  it('work whose lifetime ends while it waits is refused and frees its place in the queue', async () => {
    const [limit, work, gone] = [new ConcurrencyLimit<bigint>({ maxPerKey: 1 }), new Work(), new Lifetime()];
    const first = work.run(limit, 1n, 'a1');
    const late = refusalOf(work.run(limit, 1n, 'a2', gone));
    const third = work.run(limit, 1n, 'a3');
    gone.end('aborted');
    expect((await late).status).to.equal(503);
    for (const name of ['a1', 'a3']) {
      work.end(name);
      await new Promise(setImmediate);
    }
    await Promise.all([first, third]);
    expect(work.begun).to.deep.equal(['a1', 'a3']);
    expect(limit.taken).to.equal(0);
  });

  it('work whose client leaves keeps its place until it has ended', async () => {
    const [limit, work, gone] = [new ConcurrencyLimit<bigint>({ maxPerKey: 1 }), new Work(), new Lifetime()];
    const done = [work.run(limit, 1n, 'a1', gone), work.run(limit, 1n, 'a2')];
    gone.end('aborted');
    await new Promise(setImmediate);
    expect(work.begun).to.deep.equal(['a1']);
    for (const name of ['a1', 'a2']) {
      work.end(name);
      await new Promise(setImmediate);
    }
    await Promise.all(done);
    expect([work.begun, limit.taken]).to.deep.equal([['a1', 'a2'], 0]);
  });

  it('a lifetime, whole or a part, holds its place until its work has ended, and its end has come', async () => {
    for (const whole of [undefined, new Lifetime()]) {
      const [limit, held] = [new ConcurrencyLimit<bigint>({ maxPerKey: 1 }), new Lifetime(whole)];
      let endWork = (): void => undefined;
      const work = held.run(async () => {
        await limit.enter(1n, held);
        await new Promise<void>((resolve) => (endWork = resolve));
      });
      await new Promise(setImmediate);
      (whole ?? held).end('aborted');
      expect(limit.taken).to.equal(1);
      endWork();
      await work;
      expect(limit.taken).to.equal(0);
    }
  });

  it('a lifetime holds its place to its end, and holds none if it has ended before', async () => {
    const limit = new ConcurrencyLimit<bigint>({ maxPerKey: 1 });
    const [held, ended] = [new Lifetime(), new Lifetime()];
    ended.end('aborted');
    await limit.enter(1n, ended);
    await limit.enter(1n, held);
    expect(limit.take(1n)).to.equal(undefined);
    held.end(200);
    held.end(200);
    expect(limit.taken).to.equal(0);
  });

  it('one key gets its share of all places; the others still get theirs', () => {
    const limit = new ConcurrencyLimit<bigint>({ max: 5, maxPerKey: 3 });
    const own = [1, 2, 3].map(() => limit.take(1n));
    expect(limit.take(1n)).to.equal(undefined);
    expect([limit.take(2n), limit.take(3n)]).not.to.include(undefined);
    expect(limit.take(4n), 'past the limit over all').to.equal(undefined);
    expect([limit.taken, limit.refused]).to.deep.equal([5, 2]);
    own[0]?.();
    expect(limit.take(1n)).not.to.equal(undefined);
  });
});
