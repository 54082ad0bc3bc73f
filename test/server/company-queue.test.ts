import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { Lifetime } from '../../src/domain/request-lifetime.ts';
import { CompanyQueue } from '../../src/server/company-queue.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { immediately } from '../helper/times.ts';

const [acme, other] = [1n, 2n];

describe('CompanyQueue', () => {
  let queue: CompanyQueue;
  let begun: string[];
  beforeEach(() => {
    queue = new CompanyQueue({ max: 8, waitMs: 900 });
    begun = [];
  });

  /** Enters, and leaves with the lifetime. */
  function enter(
    name: string,
    company = acme,
    kind: 'read' | 'change' = 'change',
  ): { lifetime: Lifetime; entered: Promise<void> } {
    const lifetime = new Lifetime();
    return { lifetime, entered: queue.enter(company, kind, lifetime).then(() => void begun.push(name)) };
  }

  it('two reads and two changes of a company work at once, the next begin in their order, and no other company waits', async () => {
    const work = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => enter(name));
    work.push(enter('b1', other), ...['r1', 'r2', 'r3'].map((name) => enter(name, acme, 'read')));
    await immediately();
    expect([...begun].sort()).to.deep.equal(['a1', 'a2', 'b1', 'r1', 'r2']);
    for (const { lifetime } of work.slice(0, 2)) lifetime.end(200);
    await immediately();
    expect(begun.slice(5)).to.deep.equal(['a3', 'a4']);
    for (const { lifetime } of work) lifetime.end(200);
    await immediately();
    expect([queue.working, queue.refused]).to.deep.equal([0, 0]);
  });

  it('past the limit over all companies a company without work is refused at once; one that waits takes a place over', async () => {
    const full = new CompanyQueue({ max: 2 });
    const lifetimes = [1, 2, 3].map(() => new Lifetime());
    const entered = lifetimes.map((lifetime) => full.enter(acme, 'change', lifetime));
    const { status, details } = await refusalOf(full.enter(other, 'change', new Lifetime()));
    expect([status, details.reason, full.refused]).to.deep.equal([503, 'overload', 1]);
    lifetimes[0]?.end(200);
    await Promise.all(entered);
    for (const lifetime of lifetimes) lifetime.end(200);
    await full.enter(other, 'change', new Lifetime());
    expect(full.working).to.equal(1);
  });

  it('a wait that is too long, or whose client leaves, ends with 503 and leaves the queue', async () => {
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const working = ['a1', 'a2'].map((name) => enter(name));
      const [late, gone] = [enter('late'), enter('gone')];
      const refusals = [late, gone].map(({ entered }) => refusalOf(entered));
      gone.lifetime.end('aborted');
      await clock.tickAsync(900);
      const last = enter('last');
      for (const refusal of refusals) expect((await refusal).status).to.equal(503);
      for (const { lifetime } of working) lifetime.end(200);
      await last.entered;
      expect([begun, queue.working, queue.refused]).to.deep.equal([['a1', 'a2', 'last'], 1, 2]);
    } finally {
      clock.uninstall();
    }
  });

  it('a place is held until the end has come and the work has ended, whichever is later', async () => {
    for (const isFirst of [true, false]) {
      const lifetime = new Lifetime();
      let endWork = (): void => undefined;
      const work = lifetime.run(async () => {
        await queue.enter(acme, 'read', lifetime);
        await new Promise<void>((resolve) => {
          endWork = resolve;
        });
      });
      await immediately();
      const ends = [() => lifetime.end('aborted'), () => endWork()];
      for (const end of isFirst ? ends : ends.reverse()) {
        expect(queue.working).to.equal(1);
        end();
        await immediately();
      }
      await work;
      expect(queue.working).to.equal(0);
    }
  });
});
