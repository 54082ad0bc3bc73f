import { expect } from 'chai';
import { lockedAmong, purgeEndedCounts } from '../../src/rate-limit/sign-in-counts-sql.ts';
import { passwordTriesMax, SignInLimits } from '../../src/rate-limit/sign-in-limits.ts';
import { db } from '../helper/fixtures.ts';

const [portal, email, address] = ['company', 'ana@example.com', '192.0.2.1'] as const;

describe('sign-in limits', () => {
  let limits: SignInLimits;
  let from = 0;
  beforeEach(() => {
    limits = new SignInLimits(db());
    from = performance.now();
  });
  /** These seconds after the test began or later, less what has passed of them. */
  const expectSeconds = (wait: number, seconds: number) =>
    expect(wait).to.be.within(seconds - Math.ceil((performance.now() - from) / 1000), seconds);

  const fail = (typed = email as string, from = address as string) =>
    limits.countFailure({ portal, email: typed, address: from }, []);
  const failTimes = async (count: number) => {
    for (let n = 0; n < count; n++) expect(await fail(), `failure ${n + 1}`).to.equal(0);
  };
  const laterBy = (ms: number) => db().rateLimit.updateMany({ data: { expire: { decrement: ms } } });

  it('ten failures of an account from an address are answered, further ones wait until fifteen minutes after the first', async () => {
    await failTimes(9);
    expect(await limits.secondsToWait({ portal, email, address })).to.equal(0);
    await failTimes(1);
    expectSeconds(await limits.secondsToWait({ portal, email, address }), 900);
    expectSeconds(await fail(), 900);
    await laterBy(14 * 60_000);
    expectSeconds(await limits.secondsToWait({ portal, email, address }), 60);
    await laterBy(60_000);
    await failTimes(10);
  });

  it('the wait concerns the account, however it is typed, at that address and portal only', async () => {
    await failTimes(10);
    for (const typed of [' ANA@example.com', '\uff41na@example.com']) expect(await fail(typed), typed).to.be.above(0);
    expect(await fail('rui@example.com')).to.equal(0);
    expect(await fail(email, '192.0.2.2')).to.equal(0);
    expect(await limits.countFailure({ portal: 'administrator', email, address }, [])).to.equal(0);
  });

  it('thirty failures at an address block it for every account; further ones count against no account', async () => {
    for (let n = 0; n < 29; n++) expect(await fail(`${n}@example.com`)).to.equal(0);
    expect(await limits.secondsToWait({ portal, email, address })).to.equal(0);
    expect(await fail('29@example.com')).to.equal(0);
    expectSeconds(await limits.secondsToWait({ portal, email, address }), 900);
    for (let n = 0; n < 10; n++) expectSeconds(await fail(), 900);
    await db().rateLimit.deleteMany({ where: { key: { contains: 'address' } } });
    expect(await limits.secondsToWait({ portal, email, address })).to.equal(0);
  });

  it('an address makes the database keep at most 61 counts by failing: its own, and those of 30 e-mail addresses and their accounts', async () => {
    for (let n = 0; n < 60; n++) {
      await limits.secondsToWait({ portal, email: `${n}@example.com`, address });
      await limits.countFailure({ portal, email: `${n}@example.com`, address }, [{ id: BigInt(n) }]);
    }
    for (let n = 60; n < 90; n++) await limits.secondsToWait({ portal, email: `${n}@example.com`, address });
    expect(await db().rateLimit.count()).to.equal(61);
  });

  it('a success clears the failures of the account at that address, but not once the limit is reached', async () => {
    await failTimes(9);
    expect(await limits.acceptSuccess({ portal, email, address }, [], [])).to.equal(0);
    await failTimes(10);
    for (let n = 0; n < 2; n++) expect(await limits.acceptSuccess({ portal, email, address }, [], [])).to.be.above(0);
    // The address keeps its 19 failures.
    for (let n = 19; n < 30; n++) expect(await fail(`${n}@example.com`)).to.equal(0);
    expect(await fail('rui@example.com')).to.be.above(0);
  });

  it('lists as locked who reached a limit, at sign-in from any address or by confirmations, until the window ends', async () => {
    const [ana, rui, eva] = ['ana', 'rui', 'eva'].map((name, n) => ({ id: BigInt(n), email: `${name}@example.com` }));
    const people = [ana, rui, eva].flatMap((person) => person ?? []);
    const locked = async () => [...(await lockedAmong(db(), portal, people, passwordTriesMax))].sort();
    for (let n = 0; n < 9; n++) {
      await fail('ana@example.com');
      await limits.consumeConfirmation(portal, 1n);
      await fail('eva@example.com', `192.0.2.${n}`);
    }
    expect(await locked()).to.deep.equal([]);
    await fail('ana@example.com');
    await limits.consumeConfirmation(portal, 1n);
    expect(await locked()).to.deep.equal(['ana@example.com', 'rui@example.com']);
    const from = { portal, email: 'eva@example.com', address };
    for (let n = 0; n < 10; n++) await limits.acceptSuccess(from, [], [{ id: 2n }]);
    expect(await locked()).to.deep.equal(['ana@example.com', 'eva@example.com', 'rui@example.com']);
    expect([...(await lockedAmong(db(), 'administrator', people, passwordTriesMax))]).to.deep.equal([]);
    await laterBy(15 * 60_000);
    expect(await locked()).to.deep.equal([]);
  });

  it('the database stores no text that a person typed', async () => {
    await fail('uma senha no campo errado');
    const rows = await db().rateLimit.findMany({ where: { key: { contains: 'sign-in' } } });
    expect(rows).to.have.length(2);
    for (const { key } of rows) expect(key).to.match(/^vaga:sign-in(-address|:company:[\w-]{43}):192\.0\.2\.1$/);
  });

  it('counts are deleted a minute after their window has ended, and not before', async () => {
    const ending = [-70_000, -50_000, 1000].map((ms) => BigInt(Date.now() + ms));
    await db().rateLimit.createMany({ data: ending.map((expire) => ({ key: `${expire}`, points: 1, expire })) });
    await purgeEndedCounts(db());
    const left = await db().rateLimit.findMany({ orderBy: { expire: 'asc' } });
    expect(left.map(({ expire }) => expire)).to.deep.equal(ending.slice(1));
  });
});
