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

  it('lets each form that was shown begin once, knows the latest hundred, and has one answer', async () => {
    const [idHash, other] = [await newSession(), await newSession()];
    const show = (token: string, of = idHash) => sessions.addFormToken(db(), portal, of, token);
    const form = (token: string, before: Uint8Array<ArrayBuffer> | null = null) => {
      return { token, before, answer: new Uint8Array([Number(token)]) };
    };
    const begin = (begun: ReturnType<typeof form>, of = idHash) => sessions.beginForm(db(), portal, of, begun);
    const answerOf = async (of = idHash) => (await sessions.findForms(db(), portal, of, ''))?.answer;
    const isUnsent = async (token: string) => (await sessions.findForms(db(), portal, idHash, token))?.isUnsent;
    expect(await begin(form('0')), 'never shown').to.equal(false);
    await Promise.all([show('0'), show('0', other)]);
    expect(await isUnsent('0')).to.equal(true);
    const begun = [begin(form('0')), begin(form('0')), begin(form('0'), other)];
    expect((await Promise.all(begun)).filter(Boolean)).to.have.length(2);
    expect([await answerOf(), await answerOf(other)]).to.deep.equal([new Uint8Array([0]), new Uint8Array([0])]);
    await sessions.undoForm(db(), portal, idHash, form('0'));
    expect([await isUnsent('0'), await answerOf()]).to.deep.equal([true, null]);
    expect([await begin(form('0')), await begin(form('0'))]).to.deep.equal([true, false]);
    for (let n = 1; n <= 101; n++) await show(String(n));
    expect([await isUnsent('1'), await isUnsent('2')], 'a hundred').to.deep.equal([false, true]);
    expect(await begin(form('2')), 'another answer than the one that was read').to.equal(false);
    expect(await begin(form('2', new Uint8Array([0])))).to.equal(true);
    await sessions.undoForm(db(), portal, idHash, form('0'));
    await sessions.keepFormAnswer(db(), portal, idHash, new Uint8Array([0]), new Uint8Array([7]));
    expect([await answerOf(), await isUnsent('0')], 'of the latest form').to.deep.equal([new Uint8Array([2]), false]);
    await sessions.keepFormAnswer(db(), portal, idHash, new Uint8Array([2]), new Uint8Array([7]));
    expect([await answerOf(), await answerOf(other)]).to.deep.equal([new Uint8Array([7]), new Uint8Array([0])]);
  });
});
