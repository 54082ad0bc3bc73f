import { expect } from 'chai';
import type { ApiError } from '../../src/domain/errors.ts';
import { Sanitizer } from '../../src/sanitizer/sanitizer.ts';
import { sample } from '../helper/draws.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { newCompany } from '../helper/fixtures.ts';
import { minimalJob } from '../helper/sample-jobs.ts';
import { patienceMs } from '../helper/test-database.ts';
import { times } from '../helper/times.ts';
import { hostileBodies } from './hostile-bodies.ts';

const costly = hostileBodies['2,400 p'] ?? '';
const [acme, honest] = [1n, 2n];

describe('hostile bodies', () => {
  /** Expects 503 with Retry-After. */
  const expectBusy = async (answer: Promise<unknown>): Promise<void> => {
    const { status, details, headers } = await refusalOf(answer);
    expect([status, details.reason]).to.deep.equal([503, 'sanitizer']);
    expect(headers).to.have.property('Retry-After', '2');
  };

  it('get 201 or 422, and honest bodies of any company get 201 meanwhile and afterwards', async () => {
    const hostile = await (await newCompany()).writer('production');
    const other = await (await newCompany()).writer('production');
    const honestJob = { ...minimalJob, body: '<p>olá</p>' };
    expect(Object.keys(hostileBodies)).to.have.length.above(82);
    for (const [name, body] of sample(Object.entries(hostileBodies), 12)) {
      const attack = hostile.create({ ...minimalJob, body });
      expect((await other.create(honestJob)).status, name).to.equal(201);
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
    await expectBusy(hurried.sanitize(acme, costly));
    expect(hurried.stats()).to.deep.equal({ running: 0, waiting: 0, ended: 1 });
    let clean: string | undefined;
    // This machine may really be busy.
    while (clean === undefined)
      clean = await hurried.sanitize(acme, '<p>olá</p>').catch((error: ApiError) => {
        expect(error.details.reason).to.equal('sanitizer');
        return undefined;
      });
    expect(clean).to.equal('<p>olá</p>');
    await hurried.close();
  });

  it('too many bodies of a company at once get 503 with Retry-After; its earlier ones and others’ succeed', async () => {
    const small = new Sanitizer({ pendingMax: 2, timeoutMs: patienceMs });
    const answers = [small.sanitize(acme, '<p>um</p>'), small.sanitize(acme, '<p>dois</p>')];
    await expectBusy(small.sanitize(acme, '<p>três</p>'));
    answers.push(small.sanitize(honest, '<p>quatro</p>'));
    expect(await Promise.all(answers)).to.deep.equal(['<p>um</p>', '<p>dois</p>', '<p>quatro</p>']);
    expect(await small.sanitize(acme, '<p>cinco</p>')).to.equal('<p>cinco</p>');
    await small.close();
  });

  it('of one company do not delay another’s: the companies take turns', async () => {
    const fair = new Sanitizer({ timeoutMs: patienceMs });
    await fair.warm();
    const ended: bigint[] = [];
    const send = (companyId: bigint) =>
      fair.sanitize(companyId, '<p>olá</p>'.repeat(300)).then(() => ended.push(companyId));
    const sent = [...times(16, () => send(acme)), send(honest), send(3n)];
    await Promise.all(sent);
    // At most two bodies run already, and each company begins one in its turn.
    expect(ended.indexOf(honest), String(ended)).to.be.within(0, 4);
    expect(ended.indexOf(3n), String(ended)).to.be.within(0, 5);
    await fair.close();
  });

  it('beyond the limits reach no worker', async () => {
    const none = new Sanitizer({ pendingMax: 0 });
    const [characters, bytes] = ['must have at most 30000 characters', 'must be at most 65535 bytes in UTF-8'];
    for (const [html, body] of [
      ['<p '.repeat(122_000), [`${characters}, not 366000`, `${bytes}, not 366000`]],
      [`<p>${'€'.repeat(21_845)}</p>`, [`${bytes}, not 65542`]],
    ] as const) {
      const { status, details } = await refusalOf(none.sanitize(acme, html));
      expect([status, details]).to.deep.equal([422, { body }]);
    }
    await expectBusy(none.sanitize(acme, '<p>olá</p>'));
  });

  it('close refuses running and waiting bodies with 503', async () => {
    const other = new Sanitizer({ timeoutMs: patienceMs });
    await other.warm();
    const answers = Array.from({ length: 5 }, () =>
      other.sanitize(acme, costly).catch((error: ApiError) => error.status),
    );
    await other.close();
    expect(await Promise.all(answers)).to.deep.equal(Array(5).fill(503));
  });
});
