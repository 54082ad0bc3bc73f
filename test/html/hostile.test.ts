import { expect } from 'chai';
import { ApiError } from '../../src/domain/errors.ts';
import { openSanitizer, type Sanitizer } from '../../src/html/sanitizer.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { bodyRefusal, refusalOf } from './refused.ts';

/** Workers are polite: beside a busy machine they take long to load. */
const patient = { waitMs: 100_000, startMs: 100_000 };

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
