import { type Clock, install } from '@sinonjs/fake-timers';
import { expect } from 'chai';
import { ApiError } from '../../src/domain/errors.ts';
import { addressKey } from '../../src/rate-limit/address-limit.ts';
import { memoryBackend } from '../../src/rate-limit/limit-backend.ts';
import { RequestLimit } from '../../src/rate-limit/request-limit.ts';

const inMemory = (requestsPerMinute: number): RequestLimit =>
  new RequestLimit({ requestsPerMinute, limitsNamespace: 'test' }, memoryBackend);
const tenant = { companyId: 1n, environment: 'sandbox' } as const;

describe('request limits', () => {
  let clock: Clock;
  beforeEach(() => {
    clock = install({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => clock.uninstall());

  const refused = async (call: Promise<unknown>): Promise<ApiError> => {
    const error = await call.catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw new Error('expected a refusal');
    return error;
  };

  it('the window ends a minute after its first request; Retry-After counts down to it', async () => {
    const limit = inMemory(2);
    expect(await limit.consume(tenant, 1)).to.deep.equal({ limit: 2, remaining: 1, resetSeconds: 60 });
    await clock.tickAsync(20_000);
    expect(await limit.consume(tenant, 1)).to.include({ remaining: 0, resetSeconds: 40 });
    await clock.tickAsync(25_500);
    expect((await refused(limit.consume(tenant, 1))).headers).to.include({ 'Retry-After': '15' });
    await clock.tickAsync(14_500);
    expect(await limit.consume(tenant, 1)).to.include({ remaining: 1 });
  });

  for (const hours of [1, -1])
    it(`a clock that steps by ${hours} h ends a window early once, and closes none for longer`, async () => {
      const limit = inMemory(2);
      await limit.consume(tenant, 2);
      clock.setSystemTime(Date.now() + hours * 3_600_000);
      expect(await limit.consume(tenant, 2)).to.include({ remaining: 0, resetSeconds: 60 });
      expect((await refused(limit.consume(tenant, 1))).headers).to.include({ 'Retry-After': '60' });
      await clock.tickAsync(60_000);
      expect(await limit.consume(tenant, 1)).to.include({ remaining: 1 });
    });

  it('several requests at once run all or not at all', async () => {
    const limit = inMemory(5);
    await limit.consume(tenant, 4);
    expect((await refused(limit.consume(tenant, 2))).status).to.equal(429);
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
