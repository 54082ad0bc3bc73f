import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { ApiError } from '../../src/domain/errors.ts';
import { openSanitizer, type Sanitizer } from '../../src/html/sanitizer.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { bodyRefusal, refusalOf } from './refused.ts';

/** Workers are polite: beside a busy machine they take long to load, and to use up their own time. */
const patient = { waitMs: 100_000, startMs: 100_000, answerMs: 100_000 };

describe('hostile bodies', function () {
  this.timeout(120_000);
  let sanitizer: Sanitizer;

  before(() => {
    sanitizer = openSanitizer({ ...patient });
    return sanitizer.warm();
  });
  after(() => sanitizer.close());

  for (const [index, [name, html]] of Object.entries(hostileBodies).entries()) {
    it(`${name}: answered with 422 or clean HTML, while another company's body passes`, async () => {
      const attack = sanitizer.sanitize(BigInt(100 + index), html).then(
        (clean) => expect(clean).to.not.match(/id=/),
        (error: ApiError) => expect(error).to.be.instanceOf(ApiError).with.property('status', 422),
      );
      expect(await sanitizer.sanitize(2n, '<p>olá</p>')).to.equal('<p>olá</p>');
      await attack;
    });
  }

  it('a body over the deadline ends its worker and leaves its company in debt, and the next body finds another', async () => {
    const strict = openSanitizer({ ...patient, deadlineMs: 100 });
    await strict.warm();
    const hostile = hostileBodies['adoption agency through p'] ?? '';
    expect(await bodyRefusal(strict.sanitize(3n, hostile))).to.match(/too long to check/);
    expect(strict.figures().ended).to.equal(1);
    const refusal = await refusalOf(strict.sanitize(3n, '<p>olá</p>'));
    expect(refusal.status).to.equal(503);
    expect(Number(refusal.headers['Retry-After'])).to.be.within(1, 30);
    expect(await strict.sanitize(4n, '<p>olá</p>')).to.equal('<p>olá</p>');
    await strict.close();
  });

  const slowBody = hostileBodies['adoption agency through p'] ?? '';

  it('a wait is 503 with Retry-After, is not charged and ends no worker: the next body is taken at once', async () => {
    // Were a worker ended and its loading charged, the company would be in debt for an hour.
    const budget = { budgetMs: 100_000, budgetMsPerSecond: 1, reloadMs: 4_000_000 };
    const busy = openSanitizer({ ...patient, ...budget, deadlineMs: 600_000, answerMs: 50 });
    await busy.warm();
    const refusal = await refusalOf(busy.sanitize(6n, slowBody));
    expect([refusal.status, refusal.details.reason]).to.deep.equal([503, 'sanitizer']);
    expect(refusal.headers).to.have.property('Retry-After', '2');
    let clean: string | undefined;
    while (clean === undefined)
      clean = await busy.sanitize(6n, '<p>olá</p>').catch((error: ApiError) => {
        // This machine may really be busy.
        expect(error.message).to.match(/could not be checked in time/);
        return undefined;
      });
    expect(clean).to.equal('<p>olá</p>');
    expect(busy.figures()).to.deep.equal({ running: 0, waiting: 0, ended: 0 });
    await busy.close();
  });

  it('a body that was late is still charged for what it turns out to use up', async () => {
    const busy = openSanitizer({ ...patient, deadlineMs: 200, answerMs: 1 });
    await busy.warm();
    expect((await refusalOf(busy.sanitize(7n, slowBody))).message).to.match(/in time/);
    while (busy.figures().ended === 0) await setTimeout(20);
    expect((await refusalOf(busy.sanitize(7n, '<p>olá</p>'))).message).to.match(/took very long/);
    await busy.close();
  });

  it('repetitions of a body at the same time are purified once', async () => {
    const one = openSanitizer({ waitingPerCompanyMax: 1, ...patient });
    await one.warm();
    const answers = await Promise.all(Array.from({ length: 50 }, () => one.sanitize(5n, '<p onclick="x">olá</p>')));
    expect(new Set(answers)).to.deep.equal(new Set(['<p>olá</p>']));
    await one.close();
  });

  it('close refuses the body at work with 503', async () => {
    const other = openSanitizer({ runningMax: 2, ...patient, deadlineMs: 60_000, answerMs: 60_000 });
    await other.warm();
    const answer = other
      .sanitize(1n, hostileBodies['adoption agency through p'] ?? '')
      .catch((error: ApiError) => error.status);
    await other.sanitize(2n, '<p>olá</p>');
    await other.close();
    expect(await answer).to.equal(503);
  });
});
