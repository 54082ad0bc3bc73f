import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as sessions from '../../src/auth/page-sessions-sql.ts';
import { db } from '../helper/fixtures.ts';

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

  it('gives each form token once, keeps the latest twenty, and takes none of another session', async () => {
    const [idHash, other] = [await newSession(), await newSession()];
    const take = (token: string, of = idHash) => sessions.takeFormToken(db(), portal, of, token);
    for (let n = 0; n < 21; n++) await sessions.addFormToken(db(), portal, idHash, `token ${n}`);
    expect([await take('token 0'), await take('token 1', other), await take('token 21')]).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect([await take('token 1'), await take('token 20')]).to.deep.equal([true, true]);
    expect(await take('token 1')).to.equal(false);
    expect(await Promise.all([take('token 2'), take('token 2')])).to.have.members([true, false]);
  });
});
