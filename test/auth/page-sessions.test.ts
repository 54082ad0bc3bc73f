import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as sessions from '../../src/auth/page-sessions-sql.ts';
import { db } from '../helper/fixtures.ts';
import { times } from '../helper/times.ts';

const portal = 'company';
const now = new Date('2026-11-26T12:00:00.000Z');
const hoursLater = (hours: number, ms = 0) => new Date(now.getTime() + hours * 3_600_000 + ms);

async function newSession(personId: bigint | null = null, at = now) {
  const idHash: sessions.SessionIdHash = new Uint8Array(randomBytes(32));
  await sessions.insertSession(db(), { portal, idHash, personId, data: { notice: 'x' } }, at, 12);
  return idHash;
}

describe('a stored session', () => {
  it('is found until the instant of its end, at its portal', async () => {
    const idHash = await newSession();
    expect(await sessions.findSession(db(), portal, idHash, hoursLater(12, -1))).to.deep.equal({ notice: 'x' });
    expect(await sessions.findSession(db(), portal, idHash, hoursLater(12))).to.equal(undefined);
    expect(await sessions.findSession(db(), 'administrator', idHash, now)).to.equal(undefined);
  });

  it('that ended is deleted with the next new one', async () => {
    await db().pageSession.deleteMany();
    const [ended, open] = [await newSession(), await newSession(null, hoursLater(0, 1))];
    await newSession(null, hoursLater(12));
    const left = (await db().pageSession.findMany()).map(({ idHash }) => Buffer.from(idHash).toString('hex'));
    expect(left).to.have.length(2).and.include(Buffer.from(open).toString('hex'));
    expect(left).to.not.include(Buffer.from(ended).toString('hex'));
  });

  it('is one of at most 200 of its person: a further one ends the oldest', async () => {
    const [other, oldest] = [await newSession(904n), await newSession(903n)];
    const expiresAt = hoursLater(12);
    await db().pageSession.createMany({
      data: times(199, (n) => {
        const idHash = new Uint8Array(randomBytes(32));
        return { portal, idHash, personId: 903n, data: {}, createdAt: hoursLater(0, n + 1), expiresAt };
      }),
    });
    const newest = await newSession(903n, hoursLater(1));
    const found = [other, oldest, newest].map(
      async (id) => (await sessions.findSession(db(), portal, id, now)) !== undefined,
    );
    expect(await Promise.all(found)).to.deep.equal([true, false, true]);
    expect(await db().pageSession.count({ where: { portal, personId: 903n } })).to.equal(200);
  });

  it('is changed, but not created again after its end', async () => {
    const [idHash, other] = [await newSession(), await newSession()];
    const change = () => sessions.updateSession(db(), { portal, idHash, personId: 7n, data: { notice: 'y' } });
    await change();
    expect(await sessions.findSession(db(), portal, idHash, now)).to.deep.equal({ notice: 'y' });
    expect(await sessions.findSession(db(), portal, other, now)).to.deep.equal({ notice: 'x' });
    await sessions.deleteSession(db(), portal, idHash);
    await change();
    expect(await sessions.findSession(db(), portal, idHash, now)).to.equal(undefined);
    expect(await sessions.findSession(db(), portal, other, now)).to.deep.equal({ notice: 'x' });
  });

  it('of a person ends with all others of that person, and with nobody else’s', async () => {
    const [one, same, other] = [await newSession(901n), await newSession(901n), await newSession(902n)];
    await sessions.deleteSessionsOf(db(), 'administrator', 901n);
    const found = async () =>
      Promise.all(
        [one, same, other].map(async (id) => (await sessions.findSession(db(), portal, id, now)) !== undefined),
      );
    expect(await found()).to.deep.equal([true, true, true]);
    await sessions.deleteSessionsOf(db(), portal, 901n);
    expect(await found()).to.deep.equal([false, false, true]);
  });

  it('lets each form be claimed once, remembers the latest hundred, and has one answer', async () => {
    const [idHash, other] = [await newSession(), await newSession()];
    const claim = (mark: string, of = idHash, instead?: Uint8Array<ArrayBuffer>) =>
      sessions.claimForm(db(), portal, of, { mark, answer: new Uint8Array([Number(mark)]), instead });
    expect(await Promise.all([claim('0'), claim('0'), claim('0', other)])).to.have.members([true, false, true]);
    await sessions.releaseForm(db(), portal, idHash, '0');
    expect([await claim('0'), await claim('0')]).to.deep.equal([true, false]);
    for (let n = 1; n < 100; n++) await claim(String(n));
    expect(await claim('0'), 'one of a hundred').to.equal(false);
    await sessions.addFormToken(db(), portal, idHash, 'token');
    expect([await claim('1'), await claim('0')]).to.deep.equal([false, true]);
    expect(await sessions.findFormAnswer(db(), portal, idHash)).to.deep.equal(new Uint8Array([0]));
    const again = () => claim('1', idHash, new Uint8Array([0]));
    expect(await Promise.all([again(), again()]), 'in place of an answer').to.have.members([true, false]);
    await sessions.keepFormAnswer(db(), portal, idHash, new Uint8Array([7]));
    expect(await sessions.findFormAnswer(db(), portal, idHash)).to.deep.equal(new Uint8Array([7]));
    expect(await sessions.findFormAnswer(db(), portal, other)).to.deep.equal(new Uint8Array([0]));
  });
});
