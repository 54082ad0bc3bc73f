import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import type { Rows } from '../../src/database/open.ts';
import { databaseStore, memoryStore } from '../../src/rate-limit/limit-store.ts';
import { AddressLimit, addressKey, RequestLimit, storeOfRequests } from '../../src/rate-limit/request-limits.ts';
import { refusalOf } from '../helper/expect-refused.ts';
import { admission, db } from '../helper/fixtures.ts';
import { times } from '../helper/times.ts';

const inMemory = (requestsPerMinute: number): RequestLimit => new RequestLimit(requestsPerMinute, memoryStore(60));
const tenant = { companyId: 1n, environment: 'sandbox' } as const;

describe('request limits', () => {
  let clock: Clock;
  beforeEach(() => {
    clock = install({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.uninstall());

  it('the window ends a minute after its first request; Retry-After counts down to it', async () => {
    const limit = inMemory(2);
    expect(await limit.consume(tenant, 1)).to.deep.equal({ limit: 2, remaining: 1, resetSeconds: 60 });
    await clock.tickAsync(20_000);
    expect(await limit.consume(tenant, 1)).to.include({ remaining: 0, resetSeconds: 40 });
    await clock.tickAsync(25_500);
    const refused = await refusalOf(limit.consume(tenant, 1));
    expect(refused).to.include({ status: 429, code: 'company' });
    expect(refused.headers).to.deep.equal({
      'RateLimit-Limit': '2',
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': '15',
      'RateLimit-Policy': '"company";q=2;w=60',
      RateLimit: '"company";r=0;t=15',
      'Retry-After': '15',
    });
    await clock.tickAsync(14_499);
    expect((await refusalOf(limit.consume(tenant, 1))).headers).to.include({ 'Retry-After': '1' });
    await clock.tickAsync(1);
    expect(await limit.consume(tenant, 1)).to.include({ remaining: 1, resetSeconds: 60 });
  });

  it('several requests at once run together or not at all', async () => {
    const limit = inMemory(5);
    await limit.consume(tenant, 4);
    const { status, headers } = await refusalOf(limit.consume(tenant, 2));
    expect([status, headers['RateLimit-Remaining']]).to.deep.equal([429, '1']);
    expect(await limit.consume(tenant, 1)).to.include({ remaining: 0 });
    expect(await limit.consume({ ...tenant, environment: 'production' }, 5)).to.include({ remaining: 0 });
  });
});

describe('the limit of an address', () => {
  const address = '192.0.2.1';
  let clock: Clock;
  beforeEach(() => {
    clock = install({ toFake: ['Date'] });
  });
  afterEach(() => clock.uninstall());

  it('is refused past its requests until a minute after the first; what is refused is not counted', async () => {
    const limit = new AddressLimit(2);
    await limit.consume(address);
    clock.tick(20_000);
    await limit.consume(address);
    for (const [afterMs, seconds] of [
      [0, 40],
      [39_999, 1],
    ] as const) {
      clock.tick(afterMs);
      expect(await refusalOf(limit.consume(address))).to.deep.include({
        status: 429,
        code: 'address',
        headers: { 'Retry-After': `${seconds}` },
      });
    }
    await limit.consume('192.0.2.2');
    clock.tick(1);
    for (let n = 0; n < 2; n++) await limit.consume(address);
    await refusalOf(limit.consume(address));
  });

  it('an unknown credential costs ten requests more; past the limit, credentials wait a minute, pages do not', async () => {
    const limit = new AddressLimit(22);
    for (let n = 0; n < 2; n++) {
      await limit.consume(address);
      await limit.assertMayLookUp(address);
      await limit.penalize(address);
      clock.tick(15_000);
    }
    await limit.assertMayLookUp(address);
    await limit.consume(address);
    expect(await refusalOf(limit.assertMayLookUp(address))).to.deep.include({
      status: 429,
      code: 'address',
      headers: { 'Retry-After': '30' },
    });
    await limit.consume(address);
    await limit.assertMayLookUp('192.0.2.2');
    clock.tick(29_999);
    await refusalOf(limit.assertMayLookUp(address));
    clock.tick(1);
    await limit.assertMayLookUp(address);
  });
});

describe('limits that processes share', () => {
  const left = async (limit: RequestLimit, companyId: bigint): Promise<number | 'refused'> =>
    limit.consume({ companyId, environment: 'sandbox' }, 1).then(
      ({ remaining }) => remaining,
      () => 'refused' as const,
    );
  let one: RequestLimit;
  let other: RequestLimit;
  beforeEach(() => {
    [one, other] = [
      new RequestLimit(10, databaseStore(admission(), 60)),
      new RequestLimit(10, databaseStore(admission(), 60)),
    ];
  });

  it('are counted together by two processes, however the requests fall into ticks', async () => {
    expect([await left(one, 1n), await left(other, 1n), await left(one, 1n)]).to.deep.equal([9, 8, 7]);
    const calls = Array.from({ length: 40 }, (_, n) => left(n % 2 ? one : other, n % 4 < 2 ? 1n : 2n));
    const found = await Promise.all(calls);
    const ofCompany = (first: boolean) => found.filter((_, n) => n % 4 < 2 === first && found[n] !== 'refused').sort();
    expect(ofCompany(true)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(ofCompany(false)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await left(one, 1n)).to.equal('refused');
  });

  it('count requests that fit completely, and others not at all, in every process', async () => {
    const tenant = { companyId: 4n, environment: 'sandbox' } as const;
    expect((await refusalOf(one.consume(tenant, 20))).headers).to.include({ 'RateLimit-Remaining': '10' });
    const batches = await Promise.allSettled(times(8, (n) => (n % 2 ? one : other).consume(tenant, 3)));
    expect(batches.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
    expect((await refusalOf(other.consume(tenant, 2))).headers).to.include({ 'RateLimit-Remaining': '1' });
    expect([await left(one, 4n), await left(one, 4n)]).to.deep.equal([0, 'refused']);
    expect((await refusalOf(other.consume(tenant, 2))).headers).to.include({ 'RateLimit-Remaining': '0' });
  });

  it('begin a new window when the last has ended', async () => {
    const tenant = { companyId: 3n, environment: 'sandbox' } as const;
    for (let n = 0; n < 11; n++) await left(one, 3n);
    expect(await left(one, 3n)).to.equal('refused');
    await db().rateLimit.updateMany({ data: { expire: { decrement: 60_000 } } });
    expect(await one.consume(tenant, 4)).to.deep.equal({ limit: 10, remaining: 6, resetSeconds: 60 });
  });

  it('are counted per process while the database is away, as on Citus without its coordinator', async () => {
    const rows = async (): Promise<never> => Promise.reject(new Error('away'));
    const away = new RequestLimit(10, storeOfRequests({ kind: 'server', admission: { batchMax: 1, rows } }));
    expect(await away.consume(tenant, 3)).to.include({ remaining: 7 });
    for (let n = 6; n >= 0; n--) expect(await left(away, 1n)).to.equal(n);
    expect(await left(away, 1n)).to.equal('refused');
  });

  it('of one tick cost one statement in the database, and none with the embedded one', async () => {
    let statements = 0;
    const counting: Rows = {
      batchMax: 1,
      rows: (sql) => {
        statements += 1;
        return admission().rows(sql);
      },
    };
    for (const [kind, expected] of [
      ['server', 1],
      ['embedded', 0],
    ] as const) {
      const limit = new RequestLimit(10, storeOfRequests({ kind, admission: counting }));
      statements = 0;
      expect(await Promise.all(times(4, (n) => left(limit, BigInt(n % 2))))).to.deep.equal([9, 9, 8, 8]);
      expect(statements, kind).to.equal(expected);
    }
  });
});

it('addressKey is the whole IPv4 address, mapped or not, or the /64 of an IPv6 address', () => {
  expect(addressKey('192.0.2.1')).to.equal('192.0.2.1');
  expect(addressKey('::ffff:192.0.2.1')).to.equal('192.0.2.1');
  expect(addressKey('2001:DB8:0:1::1')).to.equal('2001:db8:0:1::/64');
  expect(addressKey('2001:db8:0:1:ffff::2')).to.equal('2001:db8:0:1::/64');
  expect(addressKey('::1')).to.equal('0:0:0:0::/64');
  expect(addressKey('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
});

it('addressKey of a name, which a proxy or client may send in place of an address, is short and reveals nothing of it', () => {
  const names = ['unknown', 'x'.repeat(5000), 'vaga_test_secret'].map(addressKey);
  for (const key of names) expect(key).to.match(/^[\w-]{43}$/);
  expect(new Set(names)).to.have.length(3);
});
