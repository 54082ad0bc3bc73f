import FakeTimers, { type Clock } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { watchWork } from '../../src/html/deadline.ts';
import { systemThreadId } from '../../src/html/thread-clock.ts';

describe('the deadline of a body', () => {
  let clock: Clock;
  let passed: number;
  const onPassed = (): void => {
    passed += 1;
  };

  beforeEach(() => {
    clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    passed = 0;
  });
  afterEach(() => clock.uninstall());

  it('does not pass by the wall clock: not where the processor time is unknown', () => {
    const work = watchWork(10, undefined, onPassed);
    clock.tick(3_600_000);
    expect([passed, work.usedMs()]).to.deep.equal([0, undefined]);
  });

  it('nor while the thread has little processor time', function () {
    const thread = systemThreadId();
    if (thread === undefined) return this.skip();
    // This very thread: an hour on the wall is a moment of work for it.
    const work = watchWork(60_000, thread, onPassed);
    clock.tick(3_600_000);
    expect(passed).to.equal(0);
    expect(work.usedMs()).to.be.within(0, 60_000);
    work.stop();
  });

  it('passes by processor time', function () {
    const thread = systemThreadId();
    if (thread === undefined) return this.skip();
    const work = watchWork(20, thread, onPassed);
    while ((work.usedMs() ?? 0) < 20) JSON.stringify(process.versions);
    clock.tick(20);
    expect(passed).to.equal(1);
  });
});
