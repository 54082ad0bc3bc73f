import FakeTimers from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { CompanyQueue, type Kind } from '../../src/server/company-queue.ts';
import { Lifetime } from '../../src/server/request-context.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { patienceMs } from '../helper/test-database.ts';
import { immediately } from '../helper/times.ts';

const [acme, other] = [1n, 2n];

describe('CompanyQueue', () => {
  let queue: CompanyQueue;
  let begun: string[];
  beforeEach(() => {
    queue = new CompanyQueue({ max: 8, companyMax: 2, waitMs: patienceMs });
    begun = [];
  });

  /** Works until `end`. */
  function enter(name: string, company = acme, kind: Kind = 'change', at = queue) {
    const lifetime = new Lifetime();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const worked = at.run(company, kind, lifetime, (hasWaited) => {
      begun.push(hasWaited ? `${name} waited` : name);
      return ended;
    });
    return { lifetime, worked, end };
  }

  it('two reads, two changes and two pages of a company run at once, others follow in order, and no other company waits', async () => {
    const work = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => enter(name));
    work.push(enter('b1', other), ...['r1', 'r2', 'r3'].map((name) => enter(name, acme, 'read')));
    work.push(enter('p1', acme, 'page'));
    await immediately();
    expect([...begun].sort()).to.deep.equal(['a1', 'a2', 'b1', 'p1', 'r1', 'r2']);
    for (const { end } of work.slice(0, 2)) end();
    await immediately();
    expect(begun.slice(6)).to.deep.equal(['a3 waited', 'a4 waited']);
    for (const { end } of work) end();
    await Promise.all(work.map(({ worked }) => worked));
    expect([queue.taken, queue.refused]).to.deep.equal([0, 0]);
  });

  it('past the limit of all companies, a company without work is refused at once; a waiting one gets the next free place', async () => {
    const full = new CompanyQueue({ max: 2, companyMax: 2 });
    const work = ['1', '2', '3'].map((name) => enter(name, acme, 'change', full));
    const { status, details } = await refusalOf(enter('none', other, 'change', full).worked);
    expect([status, details.reason, full.refused]).to.deep.equal([503, 'overload', 1]);
    work[0]?.end();
    await immediately();
    expect(begun).to.deep.equal(['1', '2', '3 waited']);
    for (const { end } of work) end();
    await Promise.all(work.map(({ worked }) => worked));
    enter('last', other, 'change', full);
    expect(full.taken).to.equal(1);
  });

  it('a wait that lasts too long, or whose client leaves, ends with 503 and leaves the queue', async () => {
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const working = ['a1', 'a2'].map((name) => enter(name));
      const [late, gone] = [enter('late'), enter('gone')];
      const refusals = [late, gone].map(({ worked }) => refusalOf(worked));
      gone.lifetime.end('aborted');
      await clock.tickAsync(patienceMs);
      enter('last');
      for (const refusal of refusals) expect((await refusal).status).to.equal(503);
      for (const { end } of working) end();
      await immediately();
      expect([begun, queue.taken, queue.refused]).to.deep.equal([['a1', 'a2', 'last waited'], 1, 2]);
    } finally {
      clock.uninstall();
    }
  });

  it('a place is held exactly until the work ends or fails, whenever the client leaves', async () => {
    const { lifetime, worked, end } = enter('a1');
    lifetime.end('aborted');
    await immediately();
    expect(queue.taken).to.equal(1);
    end();
    await worked;
    expect(queue.taken).to.equal(0);
    const failed = queue.run(acme, 'read', new Lifetime(), async () => {
      throw new Error('failed');
    });
    expect(await failed.catch(({ message }: Error) => message)).to.equal('failed');
    expect(queue.taken).to.equal(0);
  });

  it('sized work waits in order until it fits; work larger than a share runs alone', async () => {
    const sized = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: 10 });
    const take = (name: string, size: number): void => {
      const wait = sized.enter(acme, 'unread large', new Lifetime(), size);
      void (wait ?? Promise.resolve()).then(() => begun.push(name));
    };
    for (const [name, size] of Object.entries({ six: 6, four: 4, twenty: 20, one: 1 })) take(name, size);
    await immediately();
    expect([begun, sized.taken]).to.deep.equal([['six', 'four'], 10]);
    sized.leave(acme, 'unread large', 6);
    await immediately();
    expect(begun).to.deep.equal(['six', 'four']);
    sized.leave(acme, 'unread large', 4);
    await immediately();
    expect([begun, sized.taken]).to.deep.equal([['six', 'four', 'twenty'], 20]);
    sized.leave(acme, 'unread large', 20);
    await immediately();
    expect([begun, sized.taken]).to.deep.equal([['six', 'four', 'twenty', 'one'], 1]);
  });

  it('work that gives up lets smaller work behind it start', async () => {
    const sized = new CompanyQueue({ max: Number.POSITIVE_INFINITY, companyMax: 10, waitMs: patienceMs });
    const [left, stays] = [new Lifetime(), new Lifetime()];
    await sized.enter(acme, 'unread large', stays, 6);
    const refused = refusalOf(sized.enter(acme, 'unread large', left, 20) ?? Promise.resolve());
    const small = sized.enter(acme, 'unread large', stays, 1);
    left.end('aborted');
    expect((await refused).status).to.equal(503);
    await small;
    expect(sized.taken).to.equal(7);
  });
});
