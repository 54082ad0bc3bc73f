import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { type TurnSettings, Turns } from '../../src/html/turns.ts';
import { refusalOf } from './refused.ts';

const settings: TurnSettings = {
  runningMax: 2,
  runningPerCompanyMax: 1,
  waitingMax: 4,
  waitingPerCompanyMax: 2,
  waitMs: 900,
  startMs: 5000,
  budgetMs: 600,
  budgetMsPerSecond: 200,
};

describe('turns', () => {
  let clock: Clock;
  let loaded: number;
  let turns: Turns;
  let served: string[];

  const take = async (company: bigint, name: string): Promise<() => void> => {
    const release = await turns.take(company);
    served.push(name);
    return release;
  };

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    loaded = 3;
    served = [];
    turns = new Turns(settings, () => loaded);
  });
  afterEach(() => clock.uninstall());

  it('a company with many bodies leaves a place to another', async () => {
    const first = await take(1n, 'a1');
    const second = take(1n, 'a2');
    await take(2n, 'b1');
    expect(served).to.deep.equal(['a1', 'b1']);
    first();
    await second;
    expect(turns.figures()).to.deep.equal({ running: 2, waiting: 0 });
  });

  it('serves companies in rotation', async () => {
    turns = new Turns({ ...settings, runningMax: 1 }, () => loaded);
    const release = await take(1n, 'a1');
    const waiting = [take(1n, 'a2'), take(1n, 'a3'), take(2n, 'b1'), take(3n, 'c1')];
    release();
    for (const turn of [0, 2, 3, 1]) (await waiting[turn])?.();
    expect(served).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('the queue of a company is bounded: 503 with Retry-After', async () => {
    await take(1n, 'a1');
    void Promise.allSettled([take(1n, 'a2'), take(1n, 'a3')]);
    const refusal = await refusalOf(take(1n, 'a4'));
    expect(refusal.status).to.equal(503);
    expect(refusal.message).to.match(/Your company/);
    expect(refusal.headers).to.have.property('Retry-After', '2');
    turns.close();
  });

  it('the queue of all is bounded: 503', async () => {
    loaded = 0;
    const waiting = Promise.allSettled([1n, 2n, 3n, 4n].map((company) => take(company, 'x')));
    const refusal = await refusalOf(take(5n, 'e'));
    expect([refusal.status, refusal.details.reason]).to.deep.equal([503, 'sanitizer']);
    turns.close();
    await waiting;
  });

  it('a wait that is too long ends with 503 and leaves nothing behind', async () => {
    await take(1n, 'a1');
    const late = refusalOf(take(1n, 'a2'));
    await clock.tickAsync(settings.waitMs);
    expect((await late).status).to.equal(503);
    expect(turns.figures()).to.deep.equal({ running: 1, waiting: 0 });
  });

  it('the first bodies wait longer, for the first worker', async () => {
    loaded = 0;
    const first = take(1n, 'a1');
    await clock.tickAsync(settings.startMs - 1);
    loaded = 1;
    turns.wake();
    await first;
    expect(served).to.deep.equal(['a1']);
  });

  it('a company in debt is refused with 503 at once, those that wait too, and nobody else', async () => {
    await take(1n, 'a1');
    const waiting = refusalOf(take(1n, 'a2'));
    turns.charge(1n, 1500);
    for (const refusal of [await waiting, await refusalOf(take(1n, 'a3'))]) {
      expect([refusal.status, refusal.details.reason]).to.deep.equal([503, 'sanitizer']);
      expect(refusal.headers).to.have.property('Retry-After', '5');
    }
    await take(2n, 'b1');
    expect(served).to.deep.equal(['a1', 'b1']);
  });

  it('debt is paid off by the second, and no more is saved than may be used at once', async () => {
    turns.charge(1n, 600);
    (await take(1n, 'a1'))();
    turns.charge(1n, 1000);
    await clock.tickAsync(4999);
    expect((await refusalOf(take(1n, 'a2'))).headers).to.have.property('Retry-After', '1');
    await clock.tickAsync(1);
    (await take(1n, 'a3'))();
    await clock.tickAsync(3_600_000);
    turns.charge(1n, 800);
    expect((await refusalOf(take(1n, 'a4'))).headers).to.have.property('Retry-After', '1');
    expect(served).to.deep.equal(['a1', 'a3']);
  });

  it('close refuses everyone that waits', async () => {
    loaded = 0;
    const waiting = refusalOf(take(1n, 'a1'));
    turns.close();
    expect((await waiting).details.reason).to.equal('draining');
    expect((await refusalOf(take(2n, 'b1'))).details.reason).to.equal('draining');
  });
});
