import { expect } from 'chai';
import type { ApiError } from '../../src/domain/errors.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { hostileBodies } from './hostile-bodies.ts';

const costly = hostileBodies['2,400 p'] ?? '';

describe('hostile bodies', () => {
  /** Expects 503 with Retry-After. */
  const expectBusy = async (answer: Promise<unknown>): Promise<void> => {
    const { status, details, headers } = await refusalOf(answer);
    expect([status, details.reason]).to.deep.equal([503, 'sanitizer']);
    expect(headers).to.have.property('Retry-After', '2');
  };

  it('get 201 or 422, and honest bodies of any company get 201 meanwhile and afterwards', async () => {
    const hostile = await (await newCompany()).writer('production');
    const honest = await (await newCompany()).writer('production');
    const honestJob = { ...minimalJob, body: '<p>olá</p>' };
    expect(Object.keys(hostileBodies)).to.have.length.above(82);
    for (const [name, body] of Object.entries(hostileBodies)) {
      const attack = hostile.create({ ...minimalJob, body });
      expect((await honest.create(honestJob)).status, name).to.equal(201);
      const { status, body: answer } = await attack;
      expect(status, name).to.be.oneOf([201, 422]);
      if (status === 201) expect(answer.data.body, name).to.not.match(/id=/);
      else expect(answer.error.details, name).to.have.all.keys('body');
    }
    expect((await hostile.create(honestJob)).status).to.equal(201);
  });

  it('a body that times out gets 503 with Retry-After and ends its worker; the next body gets another worker', async () => {
    const hurried = new Sanitizer({ timeoutMs: 20 });
    await hurried.warm();
    await expectBusy(hurried.sanitize(costly));
    expect(hurried.stats()).to.deep.equal({ running: 0, waiting: 0, ended: 1 });
    let clean: string | undefined;
    // This machine may really be busy.
    while (clean === undefined)
      clean = await hurried.sanitize('<p>olá</p>').catch((error: ApiError) => {
        expect(error.details.reason).to.equal('sanitizer');
        return undefined;
      });
    expect(clean).to.equal('<p>olá</p>');
    await hurried.close();
  });

  it('too many bodies at once get 503 with Retry-After; earlier ones succeed', async () => {
    const small = new Sanitizer({ pendingMax: 2 });
    const answers = [small.sanitize('<p>um</p>'), small.sanitize('<p>dois</p>')];
    await expectBusy(small.sanitize('<p>três</p>'));
    expect(await Promise.all(answers)).to.deep.equal(['<p>um</p>', '<p>dois</p>']);
    await small.close();
  });

  it('close refuses running and waiting bodies with 503', async () => {
    const other = new Sanitizer();
    await other.warm();
    const answers = Array.from({ length: 5 }, () => other.sanitize(costly).catch((error: ApiError) => error.status));
    await other.close();
    expect(await Promise.all(answers)).to.deep.equal(Array(5).fill(503));
  });
});
